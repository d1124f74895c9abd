"""The compiled functions of a program, by their addresses."""

from __future__ import annotations

import bisect
from typing import Any

# Kinds of js_name_kind_text that a programmer wrote; the others are the compiler's wrappers.
WRITTEN = {"function", "parfor-kernel", "generator-next", "cuda"}


class Functions:
    """All compiled functions of a target, in order of their addresses."""

    def __init__(self, functions: list[dict[str, Any]]):
        self.all = sorted(functions, key=lambda f: f["low"])
        self._lows = [f["low"] for f in self.all]
        self.has_kernels = any(f["kind"] == "parfor-kernel" for f in functions)

    def at(self, pc: int) -> dict[str, Any] | None:
        index = bisect.bisect_right(self._lows, pc) - 1
        if index >= 0 and pc < self.all[index]["high"]:
            return self.all[index]
        return None

    def inlined(self, wrapper: dict[str, Any], name: str) -> dict[str, Any]:
        """Return the function of this name, which is inlined in the wrapper."""
        own = next((each for each in self.all if each["name"] == name and each["kind"] in WRITTEN), None)
        found = own or {**wrapper, "name": name, "kind": "function"}
        return {**found, "low": wrapper["low"], "high": wrapper["high"]}

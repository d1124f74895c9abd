"""The compiled functions of a program, by their addresses."""

from __future__ import annotations

import bisect
from typing import Any

from ..base import native

# Kinds of js_name_kind_text that a programmer wrote; the others are the compiler's wrappers.
WRITTEN = {"function", "parfor-kernel", "generator-next", "cuda"}
NO_MODULE = "<dynamic>"  # the module of a parallel kernel (numba/core/funcdesc.py, FunctionDescriptor; 0.57-0.68)


def read(program: Any) -> Functions:
    """Return the functions of a js_program."""
    return Functions(native.json_of("js_program_functions", program, None, 0, 1))


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

    def of_frame(self, pc: int, inlined: str | None) -> dict[str, Any] | None:
        """Return the function that a frame runs, or None. If it is inlined in one of the compiler's wrappers, it is
        returned with the wrapper's addresses. `inlined`: the function's name in an inlined frame; None: the frame is
        not inlined."""
        function = self.at(pc)
        if function is None or function["kind"] in WRITTEN or not function["debug_info"] or inlined is None:
            return function
        return self.inlined(function, inlined)

    def inlined(self, wrapper: dict[str, Any], name: str) -> dict[str, Any]:
        """Return the function of this name, which is inlined in the wrapper."""
        own = next((each for each in self.all if each["name"] == name and each["kind"] in WRITTEN), None)
        found = own or {**wrapper, "name": name, "kind": "function"}
        return {**found, "low": wrapper["low"], "high": wrapper["high"]}

    def module_of(self, function: dict[str, Any]) -> str:
        """Return the module that the function has its globals from; "": not known."""
        return str(function["module"]) if function["module"] != NO_MODULE else self.module_of_file(function["file"])

    def module_of_file(self, file: str) -> str:
        """Return the module that the file is, as its functions say; "": none is compiled, or they say several."""
        found = {each["module"] for each in self.all if each["file"] == file} - {"", NO_MODULE}
        return str(found.pop()) if len(found) == 1 else ""

    def outer_symbol(self, function: dict[str, Any]) -> str:
        """Return the linkage name of the function, or of the one around it if it is a parallel loop; "": not known."""
        if not function["parent"]:
            return str(function["linkage_name"])
        found = [each for each in self.all if each["name"] == function["parent"]]
        symbols = {each["linkage_name"] for each in found if each["file"] == function["file"] and not each["parent"]}
        return str(symbols.pop()) if len(symbols) == 1 else ""

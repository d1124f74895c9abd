"""What differs between two runs of one DAP session, by a name that is the same in both: ids of threads, frames and
variables, by the order in which they appear; paths, addresses and process numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# The keys that hold an id, and the kind of its name.
IDS = {"threadId": "thread", "frameId": "frame", "variablesReference": "variables"}
ADDRESS = re.compile(r"(0x|#)[0-9a-f]{6,}")  # also in the name of a jitted class's type


class Names:
    """The names of one run."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """texts: what a name such as ${PROGRAMS} stands for."""
        self.texts = dict(texts)
        self._values: dict[str, int] = {}

    def forget(self, *kinds: str) -> None:
        """Count the names of these kinds from 1 again."""
        self._values = {name: value for name, value in self._values.items() if name[1:].split()[0] not in kinds}

    def name(self, kind: str, value: int) -> str:
        """Return the name of an id, a new one for an id that has none."""
        for name, known in self._values.items():
            if known == value and name.startswith(f"<{kind} "):
                return name
        return self.new(kind, value)

    def new(self, kind: str, value: int) -> str:
        """Return a new name: debuggers give the ids of an earlier stop again."""
        count = sum(name.startswith(f"<{kind} ") for name in self._values)
        name = f"<{kind} {count + 1}>"
        self._values[name] = value
        return name

    def text(self, given: str) -> str:
        """Return a text of the debugger with names in place of what differs between runs."""
        for name, value in self.texts.items():
            given = given.replace(value, name)
        return ADDRESS.sub(r"\1…", given)

    def value(self, given: Any) -> Any:
        """Return what a recorded request stands for in this run."""
        if isinstance(given, dict):
            return {key: self.value(each) for key, each in given.items()}
        if isinstance(given, list):
            return [self.value(each) for each in given]
        if isinstance(given, str):
            if given in self._values:
                return self._values[given]
            for name, value in self.texts.items():
                given = int(value) if given == name and value.isdigit() else given.replace(name, value)
                if isinstance(given, int):
                    break
        return given

"""`jit why NAME`: why a variable is not exact."""

from __future__ import annotations

import re

from .. import frames, native, report, target
from .base import Arguments, JitCommand, write, write_json
from .locals import ALL, read


class Why(JitCommand):
    """Say why a variable is not exact here, and the one setting that makes it so.
    Usage: jit why [-json] NAME

      -json   as docs/schema/why.json says"""

    name = "why"
    options = ("-json",)
    takes_argument = True

    def words(self, of: target.Target) -> list[str]:
        return names(of)

    def run(self, of: target.Target, arguments: Arguments) -> None:
        name = arguments.rest
        if not name:
            raise report.Problem(self.usage())
        frame = frames.NativeFrame(frames.selected(of), of.memory)
        try:
            found = native.json_of("js_program_why", of.program, frame.pointer, name.encode())
        except native.NativeError as error:
            if error.status != native.ENOTFOUND:
                raise
            raise report.Problem(no_such_variable(name)) from None
        if "-json" in arguments:
            write_json(found)
        else:
            write(f"{name} is {found['state'].replace('-', ' ')}" + (f": {found['why']}" if found["why"] else ""))
            if found.get("advice"):
                write(found["advice"])


def no_such_variable(expression: str) -> str:
    name = re.match(r"\w*", expression)
    return f"no variable {(name and name[0]) or expression!r} in this compiled function; `jit locals` lists them"


def names(of: target.Target) -> list[str]:
    """Variables of the selected frame, for completion."""
    found = read(of, frames.selected(of), ALL, summary=True)
    return [entry["name"] for entry in found]


def create() -> None:
    Why()

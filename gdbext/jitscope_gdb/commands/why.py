"""`jit why NAME`: why a variable is not exact."""

from __future__ import annotations

import re
from typing import Any

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
        found = ask(of, "js_program_why", name)
        if "-json" in arguments:
            write_json(found)
        else:
            write(f"{name} is {found['state'].replace('-', ' ')}" + (f": {found['why']}" if found["why"] else ""))
            if found.get("advice"):
                write(found["advice"])


def ask(of: target.Target, function: str, expression: str, *more: Any) -> dict[str, Any]:
    """The library's answer about a variable of the selected frame. Raises Problem for a name that is not there."""
    frame = frames.NativeFrame(frames.selected(of), of.memory)
    try:
        return native.json_of(function, of.program, frame.pointer, expression.encode(), *more)  # type: ignore[no-any-return]
    except native.NativeError as error:
        if error.status != native.ENOTFOUND:
            raise
    name = re.match(r"\w*", expression)
    missing = (name and name[0]) or expression
    raise report.Problem(f"no variable {missing!r} in this compiled function; `jit locals` lists them")


def names(of: target.Target) -> list[str]:
    """Variables of the selected frame, for completion."""
    found = read(of, frames.selected(of), ALL, summary=True)
    return [entry["name"] for entry in found]


def create() -> None:
    Why()

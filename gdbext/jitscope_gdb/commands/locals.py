"""`jit locals`: the variables of a compiled frame, each with its state."""

from __future__ import annotations

from typing import Any

from .. import frames, native, outside, target
from .base import Arguments, JitCommand, write, write_json

ALL, ARGUMENTS, OTHERS = 0, 1, 2  # js_program_locals


class Locals(JitCommand):
    """Show the variables of the selected compiled frame, arguments too.
    Usage: jit locals [-versions] [-json]

    What cannot be told is labelled: <unassigned>, <optimized out>, <unknown: why>;
    `jit why NAME` says more. In a parallel loop's body, those of its function that it was
    not passed, or has given up, stand behind a line, as the thread that waits has them.
      -versions  each of the compiler's versions of a variable, with the line that
                 assigned it
      -json      as docs/schema/locals.json says"""

    name = "locals"
    options = ("-versions", "-json")

    def run(self, of: target.Target, arguments: Arguments) -> None:
        show(of, arguments, ALL)


def show(of: target.Target, arguments: Arguments, which: int) -> None:
    frame = frames.selected(of)
    found = read(of, frame, which, "-versions" in arguments)
    others = outside.variables(of, frame, found) if which == ALL else []
    if "-versions" not in arguments:
        told = {each["name"] for each in others}
        found = [each for each in found if each["name"] not in told]
    if "-json" in arguments:
        write_json(found + others)
    elif not found:
        write("No arguments." if which == ARGUMENTS else "No variables.")
    else:
        write("\n".join(lines(found)))
    if others and "-json" not in arguments:
        write(outside.title(others))
        write("\n".join(lines(others)))


def read(
    of: target.Target, frame: Any, which: int, versions: bool = False, summary: bool = False
) -> list[dict[str, Any]]:
    """The entries of js_program_locals for this frame."""
    options = frames.render_options(summary)
    at = frames.NativeFrame(frame, of.memory)
    found = native.json_of("js_program_locals", of.program, at.pointer, which, int(versions), options)
    return found  # type: ignore[no-any-return]


def lines(found: list[dict[str, Any]]) -> list[str]:
    """As `info locals` writes them."""
    shown = []
    for entry in found:
        line = f"{entry['name']} = {entry['text']}"
        if "version" in entry:
            notes = [entry["type"]]
            if entry.get("version_line"):
                notes.append(f"line {entry['version_line']}")
            if entry.get("current"):
                notes.append("current")
            line += f"  [{', '.join(notes)}]"
        shown.append(line)
    return shown


def create() -> None:
    Locals()

"""The variables of a compiled frame, each with its state."""

from __future__ import annotations

from typing import Any

from ..base import native
from ..target import target
from . import frames, reductions

ALL, ARGUMENTS, OTHERS = 0, 1, 2  # values of js_program_locals' argument


def read(
    debuggee: target.Target, frame: Any, which: int, versions: bool = False, summary: bool = False
) -> list[dict[str, Any]]:
    """Return the entries of js_program_locals for this frame."""
    options = frames.render_options(summary)
    at = frames.NativeFrame(frame, debuggee.memory)
    found: list[dict[str, Any]] = native.json_of(
        "js_program_locals", debuggee.program, at.pointer, which, int(versions), options
    )
    parts = reductions.names(debuggee, frame)
    for entry in found:
        if entry["name"] in parts and entry["value"] is not None:
            entry["part"] = True
    return found


def lines(found: list[dict[str, Any]]) -> list[str]:
    """Return the variables as `info locals` writes them."""
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
        elif entry.get("part"):
            line += f"  [{reductions.TEXT}]"
        shown.append(line)
    return shown

"""The lines of `jit bt`: a frame, its arguments and its variables."""

from __future__ import annotations

from typing import Any

import gdb
from jitscope_shared.base import stack_text

from ..base import console
from ..frames import python_frames
from ..stacks import selection
from ..target import cells, target
from . import elision, frame_line

_AROUND = 16  # columns of a frame's number, brackets, line and marks


def line_of(entry: dict[str, Any], elsewhere: bool = False) -> str:
    """Return the lines of a frame; `elsewhere`: the frame is another thread's."""
    arguments = _arguments(entry) if entry.get("arguments") else None
    is_numbered = entry["kind"] not in ("region", "folded", "python") and not elsewhere
    label = cells.label_of(target.current(), entry["file"]) if entry.get("file") else None
    entry = entry if label is None else {**entry, "file": label}
    mark = f" [frame {entry['frame']}]" if is_numbered and entry["frame"] != entry["index"] else ""
    return "\n".join(stack_text.lines(entry, arguments, mark))


def _arguments(entry: dict[str, Any]) -> str:
    """Return the arguments as `set print frame-arguments` says, in the columns that are left in the terminal's line."""
    how, found = gdb.parameter("print frame-arguments"), entry["arguments"]
    if how == "presence":
        return "..." if found else ""
    if how == "none":
        return ", ".join(f"{each['name']}=..." for each in found)
    columns = frame_line.width()
    room = (
        None if columns is None or how == "all" else columns - len(entry["name"]) - len(entry["file"] or "") - _AROUND
    )
    return elision.listed([(each["name"], each["text"]) for each in found], room)


def text_of(debuggee: target.Target, entry: dict[str, Any]) -> str:
    """Return the frame's line and, if it is known, its source line, for a terminal."""
    python_frames.fill(debuggee, [entry])
    source = selection.line_of_source(debuggee, entry)
    return line_of(entry) + ("\n" + console.plain(source.replace("\t", " " * 8)) if source is not None else "")

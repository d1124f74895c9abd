"""The lines of `jit bt`: a frame, its arguments and its variables."""

from __future__ import annotations

from typing import Any

import gdb

from ..base import console
from ..frames import python_frames
from ..frames.frame_variables import lines
from ..target import target
from ..threads import selection
from . import elision, frame_line

_AROUND = 16  # columns of a frame's number, brackets, line and marks


def line_of(entry: dict[str, Any], elsewhere: bool = False) -> str:
    """Return the lines of a frame; `elsewhere`: the frame is another thread's."""
    if entry["kind"] == "region":
        return f"--- region started by thread {entry['thread']} ---"
    if entry["kind"] == "folded":
        return f"… {listed([(each['name'], each['count']) for each in entry['functions']])}"
    line = f"#{entry['index']:<2} {console.plain(entry['name'])} ({_arguments(entry)})"
    for variable in entry.get("loop", []):
        line += f", {variable['name']} = {variable['text']}"
    if entry["file"]:
        line += f" at {console.plain(entry['file'])}"
        if entry["line"]:
            line += f":{entry['line']}"
    elif entry.get("library"):
        line += f" from {entry['library']}"
    if entry["kind"] == "python":
        line += " [py]"
    elif entry["frame"] != entry["index"] and not elsewhere:
        line += f" [frame {entry['frame']}]"
    found = [argument for argument in entry["arguments"] if "passed" in argument] + entry.get("locals", [])
    for text in python_frames.lines(found) if entry["kind"] == "python" else lines(found):
        line += f"\n        {text}"
    return line


def listed(counts: list[tuple[str, int]]) -> str:
    """Return the number of frames that are not shown, such as `87,336 more frames of walk`."""
    (name, count), *others = counts
    text = f"{count:,} more frame{'s' * (count > 1)} of {console.plain(name)}"
    texts = [text, *(f"{number:,} of {console.plain(other)}" for other, number in others)]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


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

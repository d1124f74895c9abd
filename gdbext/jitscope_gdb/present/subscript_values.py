"""What the subscripts of a source line are where the program has stopped: the value of each index, and which indices
are outside of their arrays."""

from __future__ import annotations

from typing import Any

from ..base import native
from ..frames import frames
from ..target import sources, target

_COUNTED = ("name", "constant", "expression")  # kinds of an index (docs/schema/subscripts.json) that take one element


def integer(debuggee: target.Target, at: frames.NativeFrame, text: str) -> int | None:
    """Return the value of an expression; None if it is not known, or no integer."""
    try:
        found = native.json_of(
            "js_program_print",
            debuggee.program,
            at.pointer,
            text.encode(),
            frames.render_options(),
            debuggee.data_memory(),
            native.ProgressFn(),
            None,
        )
    except native.NativeError:
        return None
    value = found.get("value")
    return value if type(value) is int else None


def outside(debuggee: target.Target, frame: Any) -> list[str]:
    """Return a sentence for each index on the frame's line that is outside of its array, as the variables are now."""
    place = frame.find_sal()
    path = place.symtab.fullname() if place.symtab else None
    found = sources.subscripts(debuggee, path, place.line) if path else None
    at = frames.NativeFrame(frame, debuggee.memory)
    texts = []
    for subscript in found or ():
        if subscript["array"] is None or any(index["kind"] == "other" for index in subscript["indices"]):
            continue
        for axis, index in enumerate(subscript["indices"]):
            if index["kind"] in _COUNTED and (text := _outside(debuggee, at, subscript["array"], axis, index)):
                texts.append(text)
    return list(dict.fromkeys(texts))


def _outside(debuggee: target.Target, at: frames.NativeFrame, array: str, axis: int, index: dict[str, str]) -> str:
    size, value = (integer(debuggee, at, text) for text in (f"{array}.shape[{axis}]", index["text"]))
    if size is None or value is None or -size <= value < size:
        return ""
    named = {"name": f"`{index['text']}` = {value}", "constant": f"index {value}"}
    shown = named.get(index["kind"], f"index {value} (`{index['text']}`)")
    return f"{shown} is outside axis {axis} of `{array}` ({size} element{'' if size == 1 else 's'})"

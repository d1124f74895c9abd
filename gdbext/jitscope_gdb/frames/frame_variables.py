"""The variables of a compiled frame, each with its state."""

from __future__ import annotations

import re
import struct
from typing import Any

from jitscope_shared.base import native
from jitscope_shared.variable_choice import ALL, ARGUMENTS, OTHERS  # noqa: F401  (for those that use this module)

from ..target import sources, target
from . import frames, reductions

# A number as Python writes it, also one of NumPy's, whose repr() of NumPy 2 has the class around it.
_NUMBER = re.compile(r"(?:np\.\w+\()?(True|False|-?\d+|-?(?:inf|nan)|-?\d[\d.]*(?:e[-+]?\d+)?)\)?$")
_INTEGER = re.compile(r"(u?)int(\d+)$")


def read(
    debuggee: target.Target, frame: Any, which: int, versions: bool = False, summary: bool = False
) -> list[dict[str, Any]]:
    """Return the entries of js_program_locals for this frame, without the variables of inner functions that have no
    value and whose lines are others."""
    options = frames.render_options(summary)
    at = frames.NativeFrame(frame, debuggee.memory)
    found: list[dict[str, Any]] = native.json_of(
        "js_program_locals", debuggee.program, at.pointer, which, int(versions), options
    )
    place = frame.find_sal()
    inner = sources.inner_names(debuggee, place.symtab.fullname(), place.line) if place.symtab else ()
    found = [entry for entry in found if entry["name"] not in inner or entry["state"] == "exact"]
    parts = reductions.names(debuggee, frame)
    for entry in found:
        if entry["name"] in parts and entry["value"] is not None:
            entry["part"] = True
    return found


def mark_passed(debuggee: target.Target, frame: Any, found: list[dict[str, Any]]) -> None:
    """Add "passed" to the arguments for which Python has passed another number than the function got: the text of the
    object. Only the wrapper that Python calls knows the objects; with any other caller nothing is added."""
    numbers = [entry for entry in found if entry["argument"] and _is_number(entry["type"])]
    if not numbers or "version" in numbers[0]:
        return
    at = frames.NativeFrame(frame, debuggee.memory)
    options = frames.render_options()
    try:
        objects = native.json_of("js_program_passed", debuggee.program, debuggee.types, at.pointer, options)
    except native.NativeError:  # the caller is not the wrapper, or its code is not understood
        return
    texts = {each["name"]: each["text"] for each in objects if each["value"] is not None}
    for entry in numbers:
        if entry["name"] in texts and is_changed(entry["type"], texts[entry["name"]]):
            entry["passed"] = texts[entry["name"]]


def _is_number(kind: str) -> bool:
    return kind in ("bool", "float32", "float64") or _INTEGER.match(kind) is not None


def is_changed(kind: str, text: str) -> bool:
    """True if the number that Python writes as `text` is another one after its conversion to this type. The rounding
    of a fraction to float32 does not count."""
    match = _NUMBER.match(text)
    if match is None:
        return False
    word = match[1]
    number = word == "True" if word in ("True", "False") else int(word) if _is_whole(word) else float(word)
    integer = _INTEGER.match(kind)
    if integer is not None:
        low, bits = (0, int(integer[2])) if integer[1] else (-(1 << int(integer[2]) - 1), int(integer[2]))
        return not low <= number < low + (1 << bits) or int(number) != number
    if kind == "bool":
        return number not in (0, 1)
    try:
        given = float(number)
        became = struct.unpack("f", struct.pack("f", given))[0] if kind == "float32" else given
    except OverflowError:
        return True
    is_rounded = not isinstance(number, int) and (became != 0 or number == 0)
    return not is_rounded and became != number


def _is_whole(word: str) -> bool:
    return word.lstrip("-").isdigit()

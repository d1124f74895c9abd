"""Values of Python expressions as front ends get them."""

from __future__ import annotations

import struct
from typing import Any

import gdb

from ..base import private_files
from .printed_values import TextPrinter, carried

_FLOATS = {4: "<f", 8: "<d"}


def value_of(frame: Any, found: dict[str, Any]) -> Any:
    """Return the value of js_program_print's entry: a number as a value of its type, if the program's debug
    information has that type, and anything else as its text."""
    number = found["value"] if found["state"] == "exact" else None
    if isinstance(number, (bool, int, float)):
        made = _number(frame, found["type"], number)
        if made is not None:
            return made
    return carried(TextPrinter(found["text"]))


def _number(frame: Any, name: str, number: bool | int | float) -> Any:
    try:
        kind = gdb.lookup_type(name, frame.block())
    except (gdb.error, RuntimeError):
        return None
    if kind.objfile is None or not private_files.is_ours(kind.objfile.filename):
        return None
    if isinstance(number, float):
        form = _FLOATS.get(kind.sizeof) if kind.code == gdb.TYPE_CODE_FLT else None
        return None if form is None else gdb.Value(struct.pack(form, number), kind)
    if kind.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_BOOL):
        return None
    return gdb.Value((int(number) & (1 << 8 * kind.sizeof) - 1).to_bytes(kind.sizeof, "little"), kind)

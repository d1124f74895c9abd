"""The texts of arguments in a frame's line, which GDB itself writes (`set print frame-arguments scalars`)."""

from __future__ import annotations

import functools
import sys
from typing import Any

import gdb

from ..base import console
from ..target import target
from . import elision

_NUMBER = 8  # columns that are reserved for a number, which GDB writes
_NUMBERS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM)


def width() -> int | None:
    """Return the number of the terminal's columns; None if it is unlimited, or if the text is for a front end."""
    if sys.modules.get("gdb.dap.server") is not None or _is_machine_interface():
        return None
    return gdb.parameter("width") or None


def fitted(debuggee: target.Target, text: str) -> str:
    """Return the text of one of the selected frame's arguments, shortened for the frame's line."""
    columns = width()
    if columns is None:
        return text
    try:
        frame = gdb.selected_frame()
        key = ("argument-room", columns, frame.level(), int(frame.pc()))
        return elision.shortened(text, debuggee.keep(target.STOP, key, lambda: _room(frame, columns)))
    except (gdb.error, RuntimeError):
        return text


def _room(frame: Any, columns: int) -> int:
    """Return the columns for each text, so that all arguments fit in the terminal's line."""
    arguments = _arguments(frame)
    numbers = sum(symbol.type.strip_typedefs().code in _NUMBERS for symbol in arguments)
    left = columns - sum(len(symbol.print_name) + 3 for symbol in arguments) - _NUMBER * numbers
    return max(elision.LEAST, left // max(1, len(arguments) - numbers))


def _arguments(frame: Any) -> list[Any]:
    block = frame.block()
    while block is not None and block.function is None:
        block = block.superblock
    return [symbol for symbol in block or () if symbol.is_argument]


@functools.lru_cache(maxsize=None)
def _is_machine_interface() -> bool:
    return console.is_machine_interface()

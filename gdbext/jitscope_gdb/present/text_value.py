"""GDB values that are shown as a text of jitscope's."""

from __future__ import annotations

import struct
from typing import Any

import gdb

from ..base import events

# The lower bound of the array types of carried values, which no program has.
_BOUND = -0x6A6974
_SIZE = 8

_texts: list[str] = []  # texts of the values that this stop's frames carry


class Text(gdb.Value):  # type: ignore[misc]
    """A value that is shown as this text, whatever value GDB has for it. A DAP client shows `kind` as its type."""

    shown = ""
    kind = ""

    @property
    def type(self) -> Any:
        return _Named(super().type, self.kind) if self.kind else super().type


class _Named:
    """A type of GDB's under another name."""

    def __init__(self, type: Any, name: str):
        self._type, self.name = type, name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._type, name)

    def __str__(self) -> str:
        return self.name


def carried(text: str) -> Any:
    """Return a value that GDB itself shows as this text until the program runs on. GDB loses a value's class where it
    prints frames and in MI, so the value is a number in an array of char, and the array's bounds say what the number
    means."""
    _texts.append(text)
    char = gdb.Value("").type.target()
    return gdb.Value(struct.pack("<q", len(_texts) - 1), char.array(_BOUND, _BOUND + _SIZE - 1))


def text_of(value: Any) -> str | None:
    """Return the text of a value that has one, or None."""
    if isinstance(value, Text):
        return value.shown
    kind = value.type
    if kind.code != gdb.TYPE_CODE_ARRAY or kind.sizeof != _SIZE or kind.range()[0] != _BOUND:
        return None
    number = sum((int(value[_BOUND + at]) & 255) << 8 * at for at in range(_SIZE))
    return _texts[number] if number < len(_texts) else None


@events.on("cont", order=6)
def forget(*_: Any) -> None:
    """Forget the texts when the stop ends."""
    _texts.clear()

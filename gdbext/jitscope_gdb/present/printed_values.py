"""GDB values that have a printer of their own, such as a text."""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Iterator
from typing import Any, Callable

import gdb
from jitscope_shared.base import native

from ..base import console, events

# The lower bound of the array types of carried values, which no program has.
_BOUND = -0x6A6974
_SIZE = 8

_carried: list[Any] = []  # printers of the values that this stop's frames and variables carry


class Printed(gdb.Value):  # type: ignore[misc]
    """A value that this printer shows, whatever value GDB has for it. A DAP client shows `kind` as its type; a variable
    of Python without a value has none."""

    printer: Any = None
    kind = ""
    number: bool | int | float | None = None  # the value, if it is a number
    write: Callable[[Any], None] | None = None  # writes a value to the place that an expression names

    def assign(self, value: Any) -> None:
        (super().assign if self.write is None else self.write)(value)

    def format_string(self, **_options: Any) -> str:
        return str(self.printer.to_string())

    @property
    def type(self) -> Any:
        return _Named(super().type, self.kind)


class _Named:
    """A type of GDB's under another name."""

    def __init__(self, type: Any, name: str):
        self._type, self.name = type, name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._type, name)

    def __str__(self) -> str:
        return self.name


class TextPrinter:
    """A printer of a text that is shown unchanged."""

    def __init__(self, text: str):
        self.text = text

    def to_string(self) -> str:
        return self.text


# GDB 14 and later ask a printer of this class for single children.
ValuePrinter = getattr(gdb, "ValuePrinter", object)


class Unfolding:
    """What printers of values with children have in common. GDB's console shows the text alone; MI and DAP ask for the
    children. to_string() sets `shown`."""

    hint: str | None = None
    shown = False

    def display_hint(self) -> str | None:
        self.shown = False
        return self.hint

    def children(self) -> Iterator[tuple[str, Any]]:
        # The console asks for hint, text and children; MI for children alone, or from GDB 14 on for text, hint and
        # children.
        if self.shown and not _asked_by_dap():
            return iter(())
        try:
            return self.elements()
        except (gdb.error, gdb.MemoryError, native.NativeError, ValueError):
            return iter(())

    def elements(self) -> Iterator[tuple[str, Any]]:
        raise NotImplementedError


def _asked_by_dap() -> bool:
    """True if GDB's DAP server, which is Python, asks. False where the server has GDB write the value, by a command or
    among the arguments of a frame."""
    asking = sys._getframe(1).f_back  # None: GDB itself asks
    if asking is None or f"{os.sep}gdb{os.sep}dap{os.sep}" not in asking.f_code.co_filename:
        return False
    return asking.f_code.co_name not in ("_repl", "_compute_parameters")


def printed(printer: Any, kind: str, value: Any = None) -> Any:
    """Return a value that a front end shows by this printer, under this type. In DAP it is `value` for GDB itself, or
    void: GDB would copy a text to the program's memory and write its address where a client assigns the value."""
    if console.interpreter() != "dap":
        return carried(printer)
    made = Printed(gdb.parse_and_eval("$_jit_unset") if value is None else value)
    made.printer, made.kind = printer, kind
    return made


def carried(printer: Any) -> Any:
    """Return a value that GDB itself shows by this printer until the program runs on. GDB loses a value's class where
    it prints frames and in MI, so the value is a number in an array of char, and the array's bounds say what the number
    means."""
    _carried.append(printer)
    char = gdb.Value("").type.target()
    return gdb.Value(struct.pack("<q", len(_carried) - 1), char.array(_BOUND, _BOUND + _SIZE - 1))


def printer_of(value: Any) -> Any:
    """Return the printer of a value that has one of its own, or None."""
    if isinstance(value, Printed):
        return value.printer
    kind = value.type
    if kind.code != gdb.TYPE_CODE_ARRAY or kind.sizeof != _SIZE or kind.range()[0] != _BOUND:
        return None
    number = sum((int(value[_BOUND + at]) & 255) << 8 * at for at in range(_SIZE))
    return _carried[number] if number < len(_carried) else None


@events.on("cont", order=6)
def forget(*_: Any) -> None:
    """Forget the printers when the stop ends."""
    _carried.clear()

"""Breakpoints that GDB's Python does not see: dprintf. A dprintf with a condition is disabled until it has a place.

GDB 13 terminates where a dprintf that was made with a condition gets its first place (breakpoint.c, location_to_sals).
Any GDB disables a dprintf that is given a condition while nothing has its location, with an error unless it is disabled
already. The condition cannot be given later: a command of GDB/MI in an event makes GDB read its standard input while
the program runs."""

from __future__ import annotations

import re
from typing import Any

import gdb

from ..base import console, events, report
from ..target import target
from . import condition_text

# a pending row of `info breakpoints`
_ROW = re.compile(r"^\d+ .* (?P<enabled>[yn]) +<PENDING> +(?P<location>.*?)(?:,\".*)?$", re.M)
_CONDITION = re.compile(r"^\tstop only if (.*)$", re.M)

_waiting: set[int] = set()  # numbers of dprintfs that this module has disabled
_locations: dict[int, str] = {}  # by the dprintf's number: its location as it was typed
# by the dprintf's number: the thread's global number, which GDB 13 forgets at the first place
_threads: dict[int, int] = {}


def give(number: int, condition: str) -> None:
    """Give the dprintf a condition in GDB's form ("": none). Raise gdb.error where GDB refuses it."""
    if number in _threads:
        condition = f"$_gthread == {_threads[number]}" + (f" && {condition}" if condition else "")
    set_in_gdb(number, condition)
    if condition:
        wait(number)
    elif not condition and number in _waiting:
        _enable(number)


def made(number: int, location: str, condition: str, thread: int | None) -> bool:
    """Register a new dprintf. Return True if it has no place yet."""
    is_pending = _row_of(number) is not None
    if is_pending and thread is not None:
        _threads[number] = thread
    _locations[number] = location
    if condition or number in _threads:
        give(number, condition)
    return is_pending


def locations() -> dict[int, str]:
    """Return the locations of dprintfs that were made at the prompt, by their numbers."""
    for number in [each for each in _locations if not _table(each)]:
        del _locations[number]
    return _locations


def wait(number: int) -> None:
    """Disable a dprintf that has a condition, or is given one next, until it has a place."""
    row = _row_of(number)
    if row is not None and row["enabled"] == "y":
        gdb.execute(f"disable {number}", False, True)
        _waiting.add(number)


def newest(condition: str) -> None:
    """Give the condition to the dprintf that a front end has just made."""
    numbers = re.findall(r"^(\d+) +dprintf ", console.text_of("info breakpoints"), re.M)
    if numbers:
        give(int(numbers[-1]), condition)


def is_python(number: int) -> bool:
    """True if this is a dprintf in Python, or at a name that nothing has yet in a program that runs Python."""
    table, row = _table(number), _row_of(number)
    if " dprintf " not in table:
        return False
    is_new = row is not None and target.current().may_run_python() and not is_place(row["location"])
    return is_new or condition_text.names_python(table)


def numbers(condition: str) -> list[int]:
    """Return the dprintfs with this condition, in GDB's form."""
    rows = re.findall(r"^(\d+) +dprintf .*((?:\n(?![0-9]).*)*)", console.text_of("info breakpoints"), re.M)
    return [int(number) for number, more in rows if condition in more]


def settle() -> None:
    """Enable the dprintfs that have a place by now, after code has come."""
    for number in list(_waiting):
        if _row_of(number) is None:
            report.quietly(_enable)(number)


@events.on("library_loaded", order=30)
def library_came(_name: Any) -> None:
    """Enable the waiting dprintfs that get a place in a new library: GDB looks for places only after this event, and
    sends no event for them."""
    for number in list(_waiting):
        row = _row_of(number)
        if row is None or not condition_text.names_python(row["location"]) and is_place(row["location"]):
            report.quietly(_enable)(number)


def waiting() -> dict[int, str]:
    """Return the conditions of the dprintfs that this module has disabled, as they were typed."""
    found = {}
    for number in sorted(_waiting):
        match = _CONDITION.search(_table(number))
        if match:
            found[number] = condition_text.typed(match[1]) or ""
    return found


def set_in_gdb(number: int, text: str, option: str = "") -> None:
    """Run GDB's own `condition` by GDB/MI, since the command of this name is replaced."""
    if hasattr(gdb, "execute_mi"):
        gdb.execute_mi("-break-condition", *filter(None, (option, str(number), text)))
    else:
        console.machine_interface(" ".join(filter(None, ("-break-condition", option, str(number), text))))


def is_place(location: str) -> bool:
    """True if GDB knows the location."""
    try:
        return bool(gdb.decode_line(location)[1])
    except gdb.error:
        return False


def _enable(number: int) -> None:
    _waiting.discard(number)
    if _table(number):
        gdb.execute(f"enable {number}", False, True)


def _table(number: int) -> str:
    """Return GDB's lines about the breakpoint; "" if there is none."""
    text = console.text_of(f"info breakpoints {number}")
    return text if text.startswith("Num") else ""


def _row_of(number: int) -> re.Match[str] | None:
    """Return the match of the breakpoint's row, with its location and whether it is enabled; None: it has a place, or
    there is no such breakpoint."""
    return _ROW.search(_table(number))


class UnseenBreakpoint:
    """A dprintf, with the attributes of a breakpoint that are needed here. GDB's Python has no object for one."""

    def __init__(self, number: int):
        self.number = number

    @property
    def enabled(self) -> bool:
        return False  # it is only read before the breakpoint is enabled

    @enabled.setter
    def enabled(self, on: bool) -> None:
        if on:
            gdb.execute(f"enable {self.number}", False, True)

"""Displays in inlined functions. GDB shows a display wherever the block is that it was typed in, and the block of an
inlined function is in its caller's: there it goes on showing the caller's variable of a name that both have."""

from __future__ import annotations

import re
from typing import Any

import gdb

from ..base import console, events, report
from ..target import target
from . import frames

# `info display`, of those that are enabled; behind some of other blocks GDB says that it does not show them here.
_ROW = re.compile(r"^(\d+): +y +(?:/\S+ +)?(.*?)(?: ?\(cannot be evaluated in the current context\))?$", re.M)
_NAME = re.compile(r"[^\W\d]\w*")

_typed_in: dict[int, str] = {}  # by the display's number: the function whose variables it shows
_said: set[tuple[int, str]] = set()  # the display, and the inlined function
_newest: list[tuple[int, str]] = []  # number and expression
_highest = 0  # number that was seen


def typed() -> None:
    """Behind `display`: note those that are new, and the function that they are of."""
    global _highest
    rows = _rows()
    _newest[:] = [row for row in rows if row[0] > _highest]
    _highest = max([_highest, *(number for number, _ in rows)])
    name = _function_of(gdb.selected_frame()) if gdb.selected_thread() is not None else ""
    _typed_in.update((number, name) for number, _ in _newest if name)


def newest() -> list[tuple[int, str]]:
    """Return number and expression of those that the last `display` has made."""
    return list(_newest)


@events.on("stop", order=75)
def stopped(_event: Any) -> None:
    """Say once of each display that it does not show the variable of the function that the program is in."""
    of = target.current()
    if not _typed_in or not of.has_process or not of.feed.objects or not gdb.parameter("jitscope notes"):
        return
    frame = gdb.newest_frame()
    if frame.type() != gdb.INLINE_FRAME or frames.compiled_at(of, frame) is None:
        return
    here, own = _function_of(frame), _names_in(frame)
    for number, expression in _rows():
        other = _typed_in.get(number, here)
        shared = [name for name in _NAME.findall(expression) if name in own]
        if other != here and shared and (number, here) not in _said:
            _said.add((number, here))
            report.say(
                f"jitscope: display {number} shows `{shared[0]}` of {other}; {here} has a variable of this name, "
                f"which `display {expression}` shows"
            )


@events.on("process_ended", order=50)
def forget(_of: target.Target) -> None:
    """The process has ended: what was said may be said again."""
    _said.clear()


def _rows() -> list[tuple[int, str]]:
    found = _ROW.findall(console.text_of("info display"))
    return [(int(number), console.plain(expression)) for number, expression in found]


def _function_of(frame: Any) -> str:
    function = frame.function()
    return console.plain(function.print_name) if function is not None else ""


def _names_in(frame: Any) -> set[str]:
    """Return the names of the function's arguments and variables."""
    found: set[str] = set()
    try:
        block = frame.block()
    except RuntimeError:  # there is no debug information at this address
        return found
    while block is not None:
        found.update(symbol.name for symbol in block)
        block = block.superblock if block.function is None else None
    return found

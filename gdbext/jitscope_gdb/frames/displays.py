"""Displays in inlined functions, and displays that GDB has deleted.

GDB shows a display in each block that is in the block in which it was typed. An inlined function's block is in its
caller's, and there GDB goes on showing the caller's variable, even if the inlined function has one of that name. GDB
also deletes all displays with a symbol file, such as when the program is run again: this module makes them again where
the program stops in their function."""

from __future__ import annotations

import re
from typing import Any, Callable

import gdb

from ..base import console, events, report
from ..target import target
from . import frames

# A row of `info display`; GDB says that a display of another block cannot be evaluated here.
_ROW = re.compile(r"^(\d+): +y +(?:/\S+ +)?(.*?)(?: ?\(cannot be evaluated in the current context\))?$", re.M)
_LISTED = re.compile(r"^(\d+): +([yn])\S* +(/\S+ +)?(.*?)(?: ?\(cannot be evaluated in the current context\))?$", re.M)
_NAME = re.compile(r"[^\W\d]\w*")

_typed_in: dict[int, str] = {}  # by the display's number: the function whose variables it shows
# deleted displays: the text as it was typed, whether it was enabled, its function
_taken: list[tuple[str, bool, str]] = []
_said: set[tuple[int, str]] = set()  # displays that were reported, each with the inlined function
_newest: list[tuple[int, str]] = []  # number and expression of the displays that the last `display` has made
_after: list[Callable[[], None]] = []  # functions to call after `display`
_is_due = False  # True if they have not been called yet
_is_bringing = False  # True while this module makes displays
_highest = 0  # the highest number of a display so far


def hook(*called: Callable[[], None]) -> None:
    """Have these functions called after each `display`, for which GDB has no event. Where `display` is typed on a
    terminal, GDB does not run the hook after it (it looks the command up in a line that the command has cleared), so
    they are called at the next prompt."""
    _after[:] = called
    console.hook("hook-display", begin)
    console.hook("hookpost-display", settle)


def begin() -> None:
    """Note that a `display` begins; called before the command."""
    global _is_due
    _is_due = True


@events.on("before_prompt", order=15)
def settle() -> None:
    """Handle the displays that a `display` has made; called after the command."""
    global _is_due
    if _is_due:
        _is_due = False
        report.quietly(_typed)()
        for called in _after if not _is_bringing else ():
            called()


def _typed() -> None:
    """Note the new displays, and their function."""
    global _highest
    rows = _rows()
    _newest[:] = [row for row in rows if row[0] > _highest]
    _highest = max([_highest, *(number for number, _ in rows)])
    name = _function_of(gdb.selected_frame()) if gdb.selected_thread() is not None else ""
    _typed_in.update((number, name) for number, _ in _newest if name)


def newest() -> list[tuple[int, str]]:
    """Return number and expression of the displays that the last `display` has made."""
    return list(_newest)


@events.on("displays_taken", order=10)
def taken(listed: str) -> None:
    """Keep the displays, which GDB has deleted, until the program stops in the function that each was typed
    in."""
    for number, enabled, letters, expression in _LISTED.findall(listed):
        _taken.append((letters + expression, enabled == "y", _typed_in.pop(int(number), "")))


def _bring_back() -> None:
    """Make the deleted displays of the function that the program is in again."""
    if not _taken or gdb.selected_thread() is None:
        return
    global _is_bringing
    here = _function_of(gdb.selected_frame())
    now = [display for display in _taken if display[2] in ("", here)]
    made: list[int] = []
    _is_bringing = True
    try:
        for text, is_enabled, _ in now:
            console.text_of(f"display {text}")
            made.append(_highest)
            if not is_enabled:
                console.text_of(f"disable display {_highest}")
    finally:
        _is_bringing = False
        _taken[:] = [display for display in _taken if display not in now[: len(made)]]
    shown = re.split(r"^(?=\d+: )", console.text_of("display"), flags=re.M) if made else []
    gdb.write("".join(each for each in shown if int(each.partition(":")[0] or 0) in made))


@events.on("stop", order=75)
def stopped(_event: Any) -> None:
    """Make deleted displays again at a stop, and report displays that show another function's variable."""
    report.quietly(_bring_back)()
    _report()


def _report() -> None:
    """Report, once for each display, that it does not show the variable of the function that the program is in."""
    debuggee = target.current()
    if not _typed_in or not debuggee.has_process or not debuggee.feed.objects or not gdb.parameter("jitscope notes"):
        return
    frame = gdb.newest_frame()
    if frame.type() != gdb.INLINE_FRAME or frames.compiled_at(debuggee, frame) is None:
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
    """Forget, after the process has ended, which displays were reported."""
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

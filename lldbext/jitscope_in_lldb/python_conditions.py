"""Conditions that LLDB's own commands and editors give to breakpoints. LLDB reads them as C, in which `i // 3 == 2` is
`i`, and `7 / 2` is 3. In compiled Python they are Python: jitscope decides them, and LLDB keeps them behind a condition
that always holds, where `breakpoint list` shows them and `breakpoint modify` changes them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import lldb
from jitscope_shared.base import native, private_files

from . import report

_MARK = "1 // Python: "  # C++, which ends at the //
_NAME = "jitscope_condition"  # of the breakpoints
_CHANGED = lldb.SBTarget.eBroadcastBitBreakpointChanged
_SECONDS = 3600  # seconds until the next wait for an event

_SOON, _LONGEST = 0.02, 0.2  # seconds
_EVENTS = (
    lldb.eBreakpointEventTypeAdded,
    lldb.eBreakpointEventTypeConditionChanged,
    lldb.eBreakpointEventTypeIgnoreChanged,
)

_taking = threading.Lock()
_is_stuck = threading.Event()  # the thread that listens has the lock, and waits within LLDB
_listening: list[tuple[Any, Any]] = []  # targets and their listeners
_left: dict[tuple[int, int], int] = {}  # by debugger and breakpoint: stops that are still to be ignored


def text_of(breakpoint: Any) -> str | None:
    """Return the Python condition of a breakpoint; None: it has none, or one of C."""
    text = breakpoint.GetCondition() or ""
    return text[len(_MARK) :] if text.startswith(_MARK) else None


def take(target: Any) -> frozenset[int]:
    """Take over the conditions of breakpoints in compiled Python. Return the numbers of these breakpoints."""
    # If the other thread has the lock for long, it waits within LLDB until this stop has been decided, and all those of
    # a function that continues the process and waits for its end. It changes nothing meanwhile.
    is_mine = _taking.acquire(timeout=0 if _is_stuck.is_set() else _LONGEST)
    if not is_mine:
        _is_stuck.set()
    try:
        return _take_all(target)
    finally:
        if is_mine:
            _taking.release()


def _take_all(target: Any) -> frozenset[int]:
    taken = set()
    for breakpoint in list(target.breakpoint_iter()):
        if breakpoint.IsValid() and breakpoint.GetNumLocations() and all(map(_is_compiled, _locations(breakpoint))):
            if _take(breakpoint, _key(target, breakpoint)):
                taken.add(int(breakpoint.GetID()))
    return frozenset(taken)


def _take(breakpoint: Any, key: tuple[int, int]) -> bool:
    """Take over the condition of one breakpoint, if it has one that Python can read. Return True if it was LLDB's until
    now."""
    text = (breakpoint.GetCondition() or "").strip()
    is_new = text != "" and not text.startswith(_MARK) and _is_python(text) and not _has_commands(breakpoint)
    if is_new:
        breakpoint.AddName(_NAME)
        breakpoint.SetCondition(_MARK + text)
        _left.pop(key, None)
    elif not text.startswith(_MARK):
        return False
    if breakpoint.GetIgnoreCount():  # LLDB would also count where the condition does not hold
        _left[key] = int(breakpoint.GetIgnoreCount())
        breakpoint.SetIgnoreCount(0)
    return is_new


def is_ignored(target: Any, breakpoint: Any) -> bool:
    """True if a stop at which the condition holds is one of those that the user has the breakpoint ignore."""
    key = _key(target, breakpoint)
    _left[key] = max(0, _left.get(key, 0) - 1) if (is_left := _left.get(key, 0) > 0) else 0
    return is_left


def listen(target: Any, callback: str) -> None:
    """Take over conditions as they are given or changed, from now on. `callback`: the name of the function that LLDB is
    to call where one is to be decided. A breakpoint gets it by a name: to give it to a breakpoint itself, LLDB makes a
    function, which fails in a callback."""
    _listening[:] = [each for each in _listening if each[0].IsValid()]
    if any(each[0] == target for each in _listening):
        return
    lldb.SBBreakpointName(target, _NAME).SetScriptCallbackFunction(callback)
    listener = lldb.SBListener("jitscope")
    _listening.append((target, listener))
    target.GetBroadcaster().AddListener(listener, _CHANGED)

    def wait() -> None:
        event = lldb.SBEvent()
        while target.IsValid():
            if listener.WaitForEvent(_SECONDS, event) and _is_given(event):
                time.sleep(_SOON)  # LLDB announces a breakpoint before it has its condition
                _take_given(target)

    threading.Thread(target=wait, daemon=True, name="jitscope").start()


def _take_given(target: Any) -> None:
    if _taking.acquire(blocking=False):
        try:
            _take_all(target)
        except Exception as error:
            report.warn(report.line_of(error))
        finally:
            _is_stuck.clear()
            _taking.release()


def _is_given(event: Any) -> bool:
    """True for an event about a condition that is new or another."""
    return lldb.SBBreakpoint.GetBreakpointEventTypeFromEvent(event) in _EVENTS


def _key(target: Any, breakpoint: Any) -> tuple[int, int]:
    return int(target.GetDebugger().GetID()), int(breakpoint.GetID())


def _locations(breakpoint: Any) -> Iterator[Any]:
    return (breakpoint.GetLocationAtIndex(index) for index in range(breakpoint.GetNumLocations()))


def _is_compiled(location: Any) -> bool:
    """True if the place is in a corrected file."""
    path = location.GetAddress().GetModule().GetFileSpec().fullpath
    return bool(path) and private_files.is_ours(path)


def _is_python(text: str) -> bool:
    """True if Python can read the condition; others are C."""
    return "\n" not in text and not native.json_of("js_condition_check", text.encode("utf-8", "replace")).get("error")


def _has_commands(breakpoint: Any) -> bool:
    """True if the user has given commands to the breakpoint, which LLDB keeps where the callback would be."""
    return bool(breakpoint.GetCommandLineCommands(lldb.SBStringList()))

"""Stacks with a compiled function that is called `main`. GDB shows no frame above the function that it takes for the
program's main, and if the interpreter's file has no symbol of that name, it takes the compiled function. From the first
stop at which GDB hides frames in this way until the process ends, this module sets `set backtrace past-main on`. That
changes nothing for the interpreter's frames, since GDB does not know its main."""

from __future__ import annotations

from typing import Any

import gdb

from ..base import events, report
from ..frames import frames
from ..target import target

_NAME = "main"
_SETTING = "backtrace past-main"
_FRAMES = 64  # frames of compiled code that main may have called
_is_set = False


@events.on("stop", order=48)
def stopped(_event: Any) -> None:
    _show_all()


@events.on("before_prompt", order=45)
def at_prompt() -> None:
    _show_all()


@events.on("walk_ended", order=20)
def came(_of: target.Target) -> None:
    """Look at the stack after a process was attached to, or a core was opened."""
    _show_all()


@report.quietly
def _show_all() -> None:
    global _is_set
    debuggee = target.current()
    if _is_set or not debuggee.has_process or gdb.parameter(_SETTING) or not _has_main(debuggee):
        return
    if gdb.selected_thread() is not None and gdb.selected_thread().is_stopped() and _is_hidden(debuggee):
        gdb.execute(f"set {_SETTING} on", False, True)
        _is_set = True


def _has_main(debuggee: target.Target) -> bool:
    names = debuggee.keep(target.OBJECT, "names", lambda: {each["name"] for each in frames.functions(debuggee).all})
    return _NAME in names


def _is_hidden(debuggee: target.Target) -> bool:
    """True if GDB shows no frame above a compiled `main`."""
    frame = gdb.newest_frame()
    for _ in range(_FRAMES):
        function = frames.compiled_at(debuggee, frame)
        if function is None:
            return False
        older = frame.older()
        if older is None:
            return bool(function["name"] == _NAME)
        frame = older
    return False


@events.on("process_ended", order=40)
def ended(_of: target.Target) -> None:
    global _is_set
    if _is_set:
        gdb.execute(f"set {_SETTING} off", False, True)
    _is_set = False

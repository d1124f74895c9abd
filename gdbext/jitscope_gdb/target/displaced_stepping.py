"""Threads are stepped past breakpoints in place, with the other threads stopped, if there is compiled code or an
attached process. GDB by itself (`set displaced-stepping auto`) steps a copy of the instruction at another address,
which does harm in two ways:

- GDB reads an instruction with a VEX prefix as if the prefix were not there (amd64_get_insn_details() of
  gdb/amd64-tdep.c, GDB 12-16). It takes vcmpsd (opcode 0xc2), which LLVM makes of `a if a <= b else b`, for a `ret` and
  leaves the thread in the copy: the program crashes. It takes vpsubsb (0xe8) for a `call` and writes to the stack.
- A thread that is in the copy when GDB is killed is lost.

Stepping in place takes as long, or a third longer."""

from __future__ import annotations

from typing import Any

import gdb

from ..base import events
from . import target

_is_off = False  # True if this module has switched it off


@events.on("before_prompt", order=12)
@events.on("new_thread", order=20)
@events.on("objects_changed", order=55)
def choose(*_: Any) -> None:
    _choose()


@events.on("exited", order=11)
def ended(event: Any) -> None:
    _choose(leaving=event.inferior)


def _choose(leaving: Any = None) -> None:
    """Choose the setting for the inferiors without the one that is `leaving`. A value that the user has set stays."""
    global _is_off
    is_wanted = any(_steps_in_place(each) for each in gdb.inferiors() if each.pid and each != leaving)
    now = gdb.parameter("displaced-stepping")  # None means auto
    if is_wanted and now is None:
        gdb.execute("set displaced-stepping off", False, True)
        _is_off = True
    elif not is_wanted and _is_off:
        if now is False:
            gdb.execute("set displaced-stepping auto", False, True)
        _is_off = False


def _steps_in_place(inferior: Any) -> bool:
    return bool(inferior.was_attached or target.of(inferior.progspace).feed.objects)

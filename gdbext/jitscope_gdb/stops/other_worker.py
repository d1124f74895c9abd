"""The note on a step in a parallel loop's body that ends because another worker has hit a breakpoint: GDB lets all
threads run while it steps one."""

from __future__ import annotations

from typing import Any

import gdb

from ..base import events, report
from ..target import target
from ..threads import workers

_stepped = 0  # GDB's number of the thread that is stepped in a body; 0: none is


def begin() -> None:
    """Note that the selected thread is stepped."""
    global _stepped
    _stepped = gdb.selected_thread().global_num


def forget() -> None:
    global _stepped
    _stepped = 0


@events.on("before_prompt", order=85)
def ended() -> None:
    """Forget a step that GDB has refused."""
    forget()


@events.on("stop", order=85)
@report.quietly
def stopped(event: Any) -> None:
    """Report, once for each process, which worker has stopped in place of the one that is stepped."""
    stepped = _stepped
    forget()
    thread = gdb.selected_thread()
    if not stepped or thread is None or thread.global_num == stepped or not isinstance(event, gdb.BreakpointEvent):
        return
    debuggee = target.current()
    other = next((each for each in debuggee.inferior.threads() if each.global_num == stepped), None)
    entry = workers.of_thread(debuggee, thread.num)
    reported = debuggee.keep(target.PROCESS, "interrupted step", list)
    if other is None or entry is None or not entry["regions"] or reported or not gdb.parameter("jitscope notes"):
        return
    reported.append(True)
    number = event.breakpoints[0].number
    who = f"worker {entry['worker']}" if entry["worker"] is not None else "a worker"
    report.say(
        f"jitscope: {who} (thread {thread.num}) has hit breakpoint {number} before the step of thread {other.num} has "
        "ended: `set scheduler-locking step` keeps `step` and `next` in one worker, `set scheduler-locking on` also "
        "`until` and `finish`"
    )

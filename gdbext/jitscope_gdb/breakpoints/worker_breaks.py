"""Breakpoints that stop one worker of a parallel loop, or each worker once."""

from __future__ import annotations

from typing import Any

import gdb

from ..base import events, report
from ..present import printers
from ..target import target
from ..threads import pools, workers
from . import conditions

_THREADS = "NUMBA_NUM_THREADS"


def expect_worker(debuggee: target.Target, number: int) -> None:
    """Raise Problem if no worker has this number, as far as that is known: the pool is there, and Numba says how many
    threads it may have."""
    thread = gdb.selected_thread()
    if thread is None or not thread.is_stopped() or debuggee.regions():  # another JIT's pool may be of any size
        return
    entries = workers.all_threads(debuggee)
    layers = sorted({entry["layer"] for entry in entries if entry["layer"]})
    most = _most_threads(debuggee) if layers else None
    if most is None:
        return
    last = max(most - 1, *(entry["worker"] or 0 for entry in entries))
    if number > last:
        there = f"the workers of {' and '.join(layers)} are 0 to {last}" if last else "the only worker is 0"
        raise report.Problem(f"there is no worker {number}: {there} ({_THREADS} is {most})")


def _most_threads(debuggee: target.Target) -> int | None:
    """Return Numba's own number of threads, which cannot change once the pool is there; None: it is not known."""
    value = printers.global_of(debuggee, b"numba.core.config", _THREADS.encode())
    return value if isinstance(value, int) else None


class WorkerBreak(gdb.Breakpoint):
    """A user's breakpoint for workers. GDB knows no workers, so each hit is judged here, which takes about 0.2 ms."""

    def __init__(self, location: str, condition: str, worker: int | None):
        super().__init__(location, gdb.BP_BREAKPOINT, temporary=worker is not None)
        self.worker = worker
        self.asks = condition
        self.seen: set[int] = set()

    def stop(self) -> bool:
        try:
            return self._is_meant()
        except (gdb.error, gdb.MemoryError) as error:
            report.warn(f"breakpoint {self.number}: {report.line_of(error)}: it stops")
            return True

    def _is_meant(self) -> bool:
        debuggee = target.current()
        thread = gdb.selected_thread()
        native_id = thread.ptid[1] or thread.ptid[0]
        if self.worker is not None and pools.number_of_selected(debuggee) != self.worker:
            return False
        if self.worker is None and native_id in self.seen:
            return False
        if self.asks and not conditions.holds(self.asks):
            return False
        self.seen.add(native_id)
        return True


@events.on("stop", order=130)
def arrived(event: Any) -> None:
    """Delete, at a stop, a breakpoint that stops each worker once, if all workers have been there."""
    if not isinstance(event, gdb.BreakpointEvent):
        return
    for place in event.breakpoints:
        if isinstance(place, WorkerBreak) and place.worker is None and not place.temporary:
            everyone = pools.workers_of_selected(target.current())
            if everyone and everyone <= place.seen:
                report.say(f"jitscope: breakpoint {place.number} is deleted: each worker has stopped there once")
                place.delete()  # not by post_event: GDB 13 crashes if it quits before the event runs

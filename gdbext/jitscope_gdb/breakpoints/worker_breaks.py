"""Breakpoints that stop one worker of a parallel loop, or each worker once."""

from __future__ import annotations

from typing import Any

import gdb

from ..base import events, report
from ..target import target
from ..threads import pools
from . import conditions


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

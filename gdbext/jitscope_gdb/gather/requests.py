"""Requests made before the program runs: to gather workers, and to record reads and writes. They are carried out when
compiled code has come, before that code runs."""

from __future__ import annotations

from typing import Any, Callable

import gdb

from ..base import events, report
from ..target import target
from ..threads import access_recording
from . import line_arrivals, meeting

_gathering: Gathering | None = None
_is_recording = False


class Gathering:
    """A request to gather workers. `where`: meeting.START or STOP; 0: the line decides. `show` shows the gathering."""

    def __init__(
        self, where: int, line: line_arrivals.Line | None, timeout_ms: int, show: Callable[[target.Target, Any], None]
    ):
        self._where, self._line, self._timeout_ms = where, line, timeout_ms
        self._show = show
        self._there: line_arrivals.Arrivals | None = None
        self.is_armed = False

    def arm(self, debuggee: target.Target) -> None:
        """Have the workers gather, if the program can by now."""
        if not meeting.is_possible(debuggee) or (
            self._line is not None and not line_arrivals.is_compiled(debuggee, self._line)
        ):
            return
        meeting.expect(debuggee)
        where = self._where
        if self._line is not None:
            where = meeting.where(debuggee, self._line)
        calls = meeting.line_calls(debuggee)
        if where == meeting.LINE and self._line and calls:
            self._there = line_arrivals.begin(debuggee, self._line, calls)
        meeting.arm(debuggee, where, self._timeout_ms)
        self.is_armed = True

    def stopped(self, debuggee: target.Target) -> bool:
        """Show the gathering, if the program has stopped for it. Return False if it may still come."""
        found = meeting.met(debuggee)
        refused = self._there.refused if self._there is not None else None
        if found is None and not refused:
            return False
        self.drop(debuggee)
        if found is None:
            report.warn(f"{refused}")
            return True
        if self._there is not None:
            line_arrivals.remember()
        self._show(debuggee, found)
        return True

    def drop(self, debuggee: target.Target) -> None:
        if self._there is not None:
            self._there.finish()
        if self.is_armed and debuggee.has_process and meeting.met(debuggee) is None:
            meeting.disarm(debuggee)


def gather(request: Gathering) -> None:
    global _gathering
    _gathering = request


def record(on: bool) -> None:
    global _is_recording
    _is_recording = on


def forget(debuggee: target.Target) -> None:
    """Drop the request, since another gathering is asked for."""
    global _gathering
    request, _gathering = _gathering, None
    if request is not None:
        request.drop(debuggee)


@events.on("objects_changed", order=40)
def look(_since: int) -> None:
    """Carry out the requests after compiled code has come."""
    global _gathering, _is_recording
    debuggee = target.current()
    if _is_recording:
        try:
            access_recording.switch(debuggee, True)
            _is_recording = False
        except report.Problem:
            pass  # libjitscope.so is not loaded yet
    request = _gathering
    if request is not None and not request.is_armed:
        try:
            request.arm(debuggee)
        except (report.Problem, gdb.error) as problem:
            _gathering = None
            report.warn(f"the workers do not gather: {report.line_of(problem)}")


@events.on("stop", order=160)
def arrived(_event: Any) -> None:
    """Show the gathering and drop the request if its workers have gathered at this stop."""
    global _gathering
    request = _gathering
    if request is not None and request.is_armed and request.stopped(target.current()):
        _gathering = None


@events.on("only_process_ended", order=30)
def ended() -> None:
    """Report, when the program has ended, the requests that were not carried out."""
    global _gathering, _is_recording
    if _gathering is not None:
        report.say("The program has ended; no parallel loop's workers have gathered.")
    if _is_recording:
        report.say("The program has ended; it had no jitscope loaded, and nothing was recorded.")
    _gathering, _is_recording = None, False

"""Log points of a DAP client. GDB's server evaluates what their messages have in braces as C, and writes the message
before GDB looks at the condition."""

from __future__ import annotations

import re
from typing import Any

import gdb

from ..base import events, report
from ..breakpoints import condition_text, conditions
from ..commands import print as python
from ..frames import frames
from ..target import target
from . import dap_server

_EXPRESSION = re.compile(r"\{([^{}]*)\}")


class LogPoint(gdb.Breakpoint):  # type: ignore[misc]
    """A breakpoint that writes a message to the client and does not stop. GDB takes no condition beside a method
    `stop`, so the condition is judged here."""

    told = ""  # the last problem that was sent to the client

    def __init__(self, message: str, **place: Any):
        self._message, self._condition = message, ""
        self._ignored = 0  # hits that are still to be ignored: GDB itself counts those at which the condition is false
        super().__init__(**place)

    @property
    def condition(self) -> str | None:
        return self._condition or None

    @condition.setter
    def condition(self, text: str | None) -> None:
        try:
            conditions.check_early(text or "", self.location or "")
        except report.Problem as problem:
            raise gdb.error(report.line_of(problem)) from None
        self._condition = text or ""

    @property
    def ignore_count(self) -> int:
        return self._ignored

    @ignore_count.setter
    def ignore_count(self, count: int) -> None:
        self._ignored = max(0, count)

    def problem(self) -> str:
        """Return what in the message or the condition is no Python, or can have no value where the log point is; "" if
        all of it may have one."""
        expressions = _EXPRESSION.findall(self._message)
        for text in expressions:
            found = condition_text.read(text)
            if found["offset"] is not None:
                return f"`{{{text}}}` in the message: {found['error']}"
        debuggee = target.current()
        for place, function in conditions.compiled_places(debuggee, self):
            given = [(text, condition_text.LOGS_ERROR) for text in expressions]
            given += [(self._condition, condition_text.LOGS_NOT)] if self._condition else []
            for text, does in given:
                is_python = not condition_text.is_gdb_expression(text)
                problem = is_python and condition_text.unknown(debuggee, text, place.address, function, does)
                if problem:
                    return problem
        return ""

    @report.quietly
    def stop(self) -> bool:
        debuggee = target.current()
        debuggee.forget(target.STOP)
        if self._holds() and not self._is_ignored():
            text = _EXPRESSION.sub(lambda match: _text_of(debuggee, match[1]), self._message)
            dap_server.module("server").send_event("output", {"category": "console", "output": f"{text}\n"})
        return False

    def _is_ignored(self) -> bool:
        is_ignored = self._ignored > 0
        self._ignored -= is_ignored
        return is_ignored

    def _holds(self) -> bool:
        try:
            is_gdbs = condition_text.is_gdb_expression(self._condition)
            return not self._condition or conditions.holds(self._condition, prints=not is_gdbs)
        except gdb.error as error:
            report.warn(f"the log point's condition `{self._condition}` cannot be evaluated: {report.line_of(error)}")
            return False


@events.on("objects_changed", order=60)
def look(_since: int) -> None:
    """Tell the client of a log point's problem once compiled code has its place."""
    for breakpoint in gdb.breakpoints() or ():
        if isinstance(breakpoint, LogPoint) and (problem := breakpoint.problem()) != breakpoint.told:
            breakpoint.told = problem
            events.emit("breakpoint_noted", breakpoint.number)


def _text_of(debuggee: target.Target, expression: str) -> str:
    """Return what str() gives for the expression, or the reason why it has no value."""
    try:
        if not frames.runs_python(debuggee, gdb.selected_frame()):
            return str(gdb.parse_and_eval(expression))
        found = python.evaluate(debuggee, expression)
        return f"<{found['error']}>" if found.get("error") else python.str_of(found)
    except (gdb.error, report.Problem) as error:
        return f"<{report.line_of(error)}>"

"""Log points of a DAP client. GDB's server evaluates what their messages have in braces as C, and writes the message
before GDB looks at the condition."""

from __future__ import annotations

import re
from typing import Any

import gdb

from ..base import report
from ..breakpoints import conditions
from ..commands import print as python
from ..frames import frames
from ..target import target
from . import dap_server

_EXPRESSION = re.compile(r"\{([^{}]*)\}")


class LogPoint(gdb.Breakpoint):  # type: ignore[misc]
    """A breakpoint that writes a message to the client and does not stop. GDB takes no condition beside a method
    `stop`, so the condition is judged here."""

    def __init__(self, message: str, **place: Any):
        self._message, self._condition = message, ""
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

    @report.quietly
    def stop(self) -> bool:
        debuggee = target.current()
        debuggee.forget(target.STOP)
        if self._holds() and not self.ignore_count:  # GDB counts down by itself
            text = _EXPRESSION.sub(lambda match: _text_of(debuggee, match[1]), self._message)
            dap_server.module("server").send_event("output", {"category": "console", "output": f"{text}\n"})
        return False

    def _holds(self) -> bool:
        try:
            return not self._condition or conditions.holds(self._condition)
        except gdb.error as error:
            report.warn(f"the log point's condition `{self._condition}` cannot be evaluated: {report.line_of(error)}")
            return False


def _text_of(debuggee: target.Target, expression: str) -> str:
    """Return what str() gives for the expression, or the reason why it has no value."""
    try:
        if not frames.runs_python(debuggee, gdb.selected_frame()):
            return str(gdb.parse_and_eval(expression))
        found = python.evaluate(debuggee, expression)
        return f"<{found['error']}>" if found.get("error") else python.str_of(found)
    except (gdb.error, report.Problem) as error:
        return f"<{report.line_of(error)}>"

"""Breakpoints that `break` and DAP clients make, and conditions that wait until a breakpoint has a place."""

from __future__ import annotations

from typing import Any

import gdb

from . import report


class UserBreakpoint(gdb.Breakpoint):
    """A breakpoint of the user's. GDB disables a breakpoint whose condition is given while nothing has its location
    (breakpoint.c, condition_not_parsed), so such a condition is kept here, and judged in Python, until code comes."""

    held = ""  # the condition that waits

    @property
    def condition(self) -> str | None:
        """The condition as it was typed. GDB's DAP server sets it for each request, and so may a user's Python."""
        from . import conditions

        return conditions.of_breakpoint(self) or None

    @condition.setter
    def condition(self, text: str | None) -> None:
        from . import conditions

        try:
            conditions.set_condition(self, text or "")
        except report.Problem as problem:
            raise gdb.error(" ".join(report.line_of(problem).split())) from None

    def hold(self, text: str, judge: Any) -> None:
        """Have `judge(text)` decide at each hit whether to stop, from now on."""
        if gdb.Breakpoint.condition.__get__(self):
            gdb.Breakpoint.condition.__set__(self, None)
        self.held = text
        self.stop = lambda: judge(text)

    def release(self) -> str:
        """Return the condition that waited, which GDB may be given by now; "" where there is none."""
        text, self.held = self.held, ""
        if text:
            del self.stop
        return text

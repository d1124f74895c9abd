"""Conditions that wait until a breakpoint has a place."""

from __future__ import annotations

from typing import Any

import gdb


class HeldBreakpoint(gdb.Breakpoint):
    """GDB disables a breakpoint whose condition is given while nothing has its location (breakpoint.c,
    condition_not_parsed), so such a condition is kept here, and judged in Python, until code comes."""

    held = ""  # the condition that waits

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

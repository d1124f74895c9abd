"""Conditions that wait until a breakpoint has a place."""

from __future__ import annotations

from typing import Any

import gdb


class HeldBreakpoint(gdb.Breakpoint):
    """A breakpoint that keeps its condition until it has a place. GDB disables a breakpoint whose condition is given
    while nothing has its location (breakpoint.c, condition_not_parsed), so this class keeps the condition and judges it
    in Python until code comes."""

    held = ""  # the condition that waits; "": none

    def hold(self, text: str, judge: Any) -> None:
        """Keep the condition, and have `judge(text)` decide at each hit from now on whether to stop."""
        if gdb.Breakpoint.condition.__get__(self):
            gdb.Breakpoint.condition.__set__(self, None)
        self.held = text
        self.stop = lambda: judge(text)

    def release(self) -> str:
        """Return the condition that waited, which GDB may be given by now; "" if there is none."""
        text, self.held = self.held, ""
        if text:
            del self.stop
        return text

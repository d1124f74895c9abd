"""Breakpoints that `break` and DAP clients make."""

from __future__ import annotations

import gdb

from ..base import report
from . import conditions
from .held_breakpoint import HeldBreakpoint


class UserBreakpoint(HeldBreakpoint):
    """A user's breakpoint, whose condition reads as it was typed."""

    @property
    def condition(self) -> str | None:
        """Return the condition as it was typed. GDB's DAP server sets it for each request, and a user's Python may do
        so."""
        return conditions.of_breakpoint(self) or None

    @condition.setter
    def condition(self, text: str | None) -> None:
        try:
            conditions.set_condition(self, text or "")
        except report.Problem as problem:
            raise gdb.error(" ".join(report.line_of(problem).split())) from None

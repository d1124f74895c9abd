"""Breakpoints that a client of DAP sets (gdb/dap/breakpoint.py of GDB 14 and later): their conditions and the
expressions of their log messages mean Python in compiled Python, as those that are typed at the prompt."""

from __future__ import annotations

import sys
from typing import Any

import gdb

from . import conditions, report
from .user_breakpoint import UserBreakpoint


class DapBreakpoint(UserBreakpoint):
    """GDB's server sets `condition` when it has made the breakpoint, and again for each later request."""

    @property
    def condition(self) -> str | None:
        return conditions.of_breakpoint(self) or None

    @condition.setter
    def condition(self, text: str | None) -> None:
        try:
            conditions.set_condition(self, text or "")
        except report.Problem as problem:
            raise gdb.error(report.line_of(problem).replace("\n", " ")) from None


def adopt() -> None:
    """Have GDB's DAP server, where this GDB is one, make such breakpoints."""
    server = sys.modules.get("gdb.dap.breakpoint")
    make = getattr(server, "_set_one_breakpoint", None)
    if make is None or getattr(make, "is_jitscope", False):
        return

    def set_one_breakpoint(*, logMessage: str | None = None, **arguments: Any) -> Any:  # noqa: N803 (DAP's name)
        if logMessage is not None:
            return make(logMessage=logMessage, **arguments)
        return DapBreakpoint(**arguments)

    set_one_breakpoint.is_jitscope = True  # type: ignore[attr-defined]
    server._set_one_breakpoint = set_one_breakpoint  # type: ignore[union-attr]

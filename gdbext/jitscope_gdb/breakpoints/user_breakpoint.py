"""Breakpoints that commands and DAP clients make."""

from __future__ import annotations

from typing import Any

import gdb

from ..base import console, report
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


def make(location: str, condition: str, temporary: bool) -> tuple[Any, str]:
    """Return a user's breakpoint, which is pending where nothing has the location yet, and the messages that GDB wrote
    meanwhile, each line with its end."""
    known = {breakpoint.number for breakpoint in gdb.breakpoints() or ()}
    command = "tbreak" if temporary else "break"
    where = f"{location} if {condition}" if condition else location
    said = console.text_of(f"with breakpoint pending on -- {command} {where}").splitlines(True)
    made = next((b for b in gdb.breakpoints() or () if b.number > 0 and b.number not in known), None)
    if made is None:
        raise report.Problem(f"`{command}` has made no breakpoint: type `show user {command}`, in case it is yours")
    return made, "".join(line for line in said if line.startswith("jitscope: "))


def entry(breakpoint: Any) -> dict[str, Any]:
    return {
        "number": breakpoint.number,
        "condition": conditions.of_breakpoint(breakpoint),
        "enabled": breakpoint.enabled,
        "temporary": breakpoint.temporary,
        "hits": breakpoint.hit_count,
    }

"""Breakpoints that a DAP client sets (gdb/dap/breakpoint.py of GDB 14 and later): in compiled Python their conditions
mean Python, like conditions that are typed at the prompt."""

from __future__ import annotations

import sys
from typing import Any

from ..breakpoints.user_breakpoint import UserBreakpoint


def adopt() -> None:
    """Have GDB's DAP server, where this GDB is one, make such breakpoints."""
    server = sys.modules.get("gdb.dap.breakpoint")
    make = getattr(server, "_set_one_breakpoint", None)
    if make is None or getattr(make, "is_jitscope", False):
        return

    def set_one_breakpoint(*, logMessage: str | None = None, **arguments: Any) -> Any:  # noqa: N803 (DAP's name)
        if logMessage is not None:
            return make(logMessage=logMessage, **arguments)
        return UserBreakpoint(**arguments)

    set_one_breakpoint.is_jitscope = True  # type: ignore[attr-defined]
    server._set_one_breakpoint = set_one_breakpoint  # type: ignore[union-attr]

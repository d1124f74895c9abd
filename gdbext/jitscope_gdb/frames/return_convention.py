"""The place where a compiled function leaves its result, by the convention of the compiler's calls
(program/names/numba/return_convention.h), read in the caller; only for x86-64."""

from __future__ import annotations

from typing import Any

import gdb
from jitscope_shared.stops import call_setup

from . import frames


def argument(caller: Any, function: dict[str, Any], index: int) -> int | None:
    """Return the argument with this index (from 0) of the call that `caller` is in; None if the caller's code does not
    show it.

    `function` is the compiled function that the caller's code belongs to."""
    whole = code(caller, function["low"], function["high"])
    setup = call_setup.of_argument(whole, int(caller.pc()), index)
    data = frames.register_bytes(caller, setup.base, 8) if setup is not None else None
    if setup is None or data is None:
        return None
    return (int.from_bytes(data, "little") + setup.offset) & (1 << 64) - 1


def code(frame: Any, low: int, high: int) -> list[dict[str, Any]]:
    """Return the instructions from `low` up to `high`; [] if they cannot be read."""
    try:
        return list(frame.architecture().disassemble(low, high - 1))
    except (gdb.error, gdb.MemoryError):
        return []

"""The program's record of a gathering of workers, in its libjitscope.so: jitscope_gather (jitscope_descriptor.h)."""

from __future__ import annotations

from typing import Any

import gdb
from jitscope_shared.base import contract

from ..target import published, target


def address(debuggee: target.Target) -> int | None:
    """Return the address of the structure; None: the program has none."""
    descriptor = published.descriptor(debuggee)
    return descriptor.gather or None if descriptor is not None else None


def read(debuggee: target.Target, at: int) -> contract.Gather:
    """Return the structure at this address. Raise gdb.MemoryError if it cannot be read."""
    found: contract.Gather | None = published.read(debuggee, at, contract.Gather)
    if found is None:
        raise gdb.MemoryError(f"Cannot access memory at address {at:#x}")
    return found


def met(debuggee: target.Target) -> dict[str, Any] | None:
    """Return the gathering that the program has stopped for: {"reason", "launch", "expected", "arrived"}, or None."""
    at = address(debuggee) if debuggee.is_live else None
    if at is None:
        return None
    found = read(debuggee, at)
    if found.state != contract.GATHER_MET:
        return None
    reason = "all" if found.reason == contract.GATHER_ALL else "timeout"
    return {"reason": reason, "launch": found.launch, "expected": found.expected, "arrived": found.arrived}

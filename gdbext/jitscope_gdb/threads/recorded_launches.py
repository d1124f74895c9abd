"""The program's own record of its parallel loops, read from GDB's process (jitscope_shared/recorded_launches.py)."""

from __future__ import annotations

from typing import Any

from jitscope_shared import recorded_launches

from ..frames import frames
from ..target import target


def launches(debuggee: target.Target) -> list[dict[str, Any]]:
    """Like Target.launches(), but read once at each stop."""
    return debuggee.keep(target.STOP, "launches", debuggee.launches)  # type: ignore[no-any-return]


def apply(debuggee: target.Target, entries: list[dict[str, Any]]) -> None:
    """Put the recorded launches into the entries of `workers`, where they match the loops on the threads' stacks."""
    recorded_launches.apply(entries, debuggee.regions(), launches(debuggee), frames.functions(debuggee))


def body_of(debuggee: target.Target, launch: dict[str, Any]) -> dict[str, Any] | None:
    """Return the loop's body that a launch runs; None: it is another JIT's."""
    return recorded_launches.body_of(frames.functions(debuggee), launch)


def number(debuggee: target.Target, native_id: int) -> int | None:
    """Return the thread's worker number in the innermost loop whose iterations it runs; None: it is not recorded."""
    return recorded_launches.number(debuggee.launches(), native_id)

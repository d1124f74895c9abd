"""The jit-reader's callback: GDB gives it each in-memory object that the JIT has registered, before GDB reads it."""

from __future__ import annotations

import gdb
from jitscope_shared.base import native

from ..base import events, report
from . import target


def take(image: int, size: int) -> int:
    """Return 1 if the object is taken, and 0 if GDB is to read it."""
    try:
        if not gdb.parameter("jitscope enabled"):
            return 0
        debuggee = target.current()
        taken = debuggee.feed.take(image, size)
        if debuggee.feed.walked:
            debuggee.feed.walked = False
            events.emit("walk_ended", debuggee)
        return 1 if taken else 0
    except KeyboardInterrupt:
        return 0
    except BaseException as error:
        report.warn(f"GDB reads a compiled object without corrections: {report.line_of(error)}")
        return 0


callback = native.ReaderFn(take)

"""A stop because an instruction of the selected thread cannot be run: the program does not go on from there."""

from __future__ import annotations

import signal

import gdb

_FAULTS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)


def is_here() -> bool:
    """True if the selected thread has stopped by a fault of its own, not by a signal that a process has sent."""
    try:
        number = int(gdb.parse_and_eval("$_siginfo.si_signo"))
        code = int(gdb.parse_and_eval("$_siginfo.si_code"))
    except (gdb.error, gdb.MemoryError):
        return False
    return number in _FAULTS and code > 0

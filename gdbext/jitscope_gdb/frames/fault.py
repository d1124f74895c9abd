"""A stop because the program cannot go on in the selected thread: an instruction cannot be run, or it has aborted."""

from __future__ import annotations

import signal

import gdb

_FAULTS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)


def is_here() -> bool:
    """True if the selected thread has stopped by a fault of its own, not by a signal that a process has sent."""
    return _is_fault(*_signal())


def is_crash() -> bool:
    """True if the selected thread has stopped by a fault of its own, or by abort()."""
    number, code = _signal()
    return number == signal.SIGABRT or _is_fault(number, code)


def _is_fault(number: int, code: int) -> bool:
    return number in _FAULTS and code > 0


def _signal() -> tuple[int, int]:
    """Return the number and the code of the signal by which the selected thread has stopped; zeros: there is none."""
    try:
        return int(gdb.parse_and_eval("$_siginfo.si_signo")), int(gdb.parse_and_eval("$_siginfo.si_code"))
    except (gdb.error, gdb.MemoryError):
        return 0, 0

"""`step` in compiled Python skips functions in C and like languages that it calls, as GDB skips functions without
lines: the C library's `sin`, or the compiler's own library for a conversion, is no Python."""

from __future__ import annotations

import re

import gdb

from ..base import console, events, report
from ..frames import frames
from ..target import target

# GDB's patterns of file names: `*` ends at a slash, and a pattern without a slash is compared with the last part.
PATTERNS = ("*.c", "*.h", "*.cc", "*.cpp", "*.cxx", "*.hpp", "*.inc", "*.S", "*.s", "*.rs", "*.f", "*.f90", "*.pyx")
_ROW = re.compile(r"^(\d+)\s", re.M)

_made: list[str] = []  # the numbers of GDB's skips while a step runs


@report.quietly
def begin() -> None:
    """Make the skips; called before a step."""
    _remove()
    debuggee = target.current()
    if not debuggee.has_process or not debuggee.is_live:
        return
    try:
        if not frames.runs_python(debuggee, gdb.selected_frame()):
            return
    except gdb.error:
        return  # the command itself reports the error
    known = _numbers()
    for pattern in PATTERNS:
        gdb.execute(f"skip -gfile {pattern}", False, True)
    _made.extend(number for number in _numbers() if number not in known)


@events.on("stop", order=170)
def stopped(_event: object) -> None:
    """Remove the skips after the step. A hook after the command would be too early: at a prompt GDB runs it when the
    step has only begun."""
    _remove()


@events.on("exited", order=50)
def exited(_event: object) -> None:
    _remove()


def _numbers() -> list[str]:
    return _ROW.findall(console.text_of("info skip"))


def _remove() -> None:
    numbers = " ".join(set(_made) & set(_numbers())) if _made else ""
    _made.clear()
    if numbers:
        gdb.execute(f"skip delete {numbers}", False, True)

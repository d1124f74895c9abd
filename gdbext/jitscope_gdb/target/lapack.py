"""`break dgesdd_`, if the SciPy wheel, which Numba's linear algebra calls, names the routine `scipy_dgesdd_`."""

from __future__ import annotations

import re
from typing import Any

import gdb

from ..base import events, report

_LIBRARY = re.compile(r"/libscipy_openblas")
_PREFIX = "scipy_"
_NAME = re.compile(r"[a-z][a-z0-9]{3,}_")  # the symbol of a Fortran routine

_present = False  # True if the library has been read
_done: set[int] = set()  # numbers of breakpoints that have been looked at since


@events.on("library_loaded", order=20)
def loaded(filename: str | None) -> None:
    """Look at all breakpoints if this library has been read: a pending breakpoint may mean a routine in it."""
    global _present
    if filename and _LIBRARY.search(filename):
        _present = True
        for breakpoint in gdb.breakpoints() or ():
            created(breakpoint)


@events.on("breakpoint_created", order=10)
def created(breakpoint: Any) -> None:
    """Make a second breakpoint at the routine's name in the wheel, if the breakpoint names a routine."""
    name = breakpoint.location or ""
    if not _present or breakpoint.number < 0 or breakpoint.number in _done or not _NAME.fullmatch(name):
        return
    _done.add(breakpoint.number)
    try:
        address = int(gdb.parse_and_eval(f"(unsigned long)&{_PREFIX}{name}"))
    except (gdb.error, gdb.MemoryError):
        return
    another = gdb.Breakpoint(f"*{address:#x}", temporary=breakpoint.temporary)
    another.condition = breakpoint.condition
    report.say(f"jitscope: {name} is named {_PREFIX}{name} in SciPy's wheels: breakpoint {another.number} is there too")

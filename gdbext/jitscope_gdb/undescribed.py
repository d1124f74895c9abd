"""Breakpoints at functions that were compiled without debug information: such a function has no line and no
variable."""

from __future__ import annotations

import re
from typing import Any

from . import console, native, target

_CURE = "run the program with NUMBA_DEBUGINFO=1, or write debug=True in its @njit"
_REFUSED, _ACCEPTED = re.compile(r"^\d+\.\d+ +N\*", re.M), re.compile(r"^\d+\.\d+ +[yn] ", re.M)
_WRITTEN = ("function", "generator-next")


def note(of: target.Target, breakpoint: Any, name: str, condition: str) -> str:
    """Return what is to be said of a breakpoint at this function; "" where a function of the name is described."""
    function = _of_name(of, name)
    if not function:
        return ""
    is_set = breakpoint is not None and _is_set(breakpoint)
    if is_set and not condition:
        return f"{function} has no debug information: it stops at calls, and not where {function} was inlined; {_CURE}"
    if is_set:
        return ""  # the condition says it itself (conditions.py), or it is GDB's and reads registers
    return never(function, condition)


def never(function: str, condition: str) -> str:
    """Return the line about a condition on variables that nobody has described."""
    asks = f"`{condition}`" if condition else "its condition"
    return f"{function} has no debug information, so {asks} cannot be evaluated and it never stops: {_CURE}"


def _is_set(breakpoint: Any) -> bool:
    """True if it has a place where its condition can be evaluated (GDB marks others `N*`)."""
    if breakpoint.pending:
        return False
    listed = console.text_of(f"info breakpoints {breakpoint.number}")
    return not _REFUSED.search(listed) or bool(_ACCEPTED.search(listed))


def _of_name(of: target.Target, name: str) -> str:
    """Return the function's name; "": there is none, or one with debug information."""
    last = re.escape(name.rpartition(".")[2])
    found = native.json_of("js_program_functions", of.program, rf"(^|\.){last}$".encode(), 0, 0)
    named = [
        each
        for each in found
        if each["kind"] in _WRITTEN and name in (each["name"], each["qualname"], f"{each['module']}.{each['qualname']}")
    ]
    if not named or any(each["debug_info"] for each in named):
        return ""
    return str(named[0]["name"])

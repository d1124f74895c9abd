"""Breakpoints at functions that were compiled without debug information: such a function has no line and no
variable."""

from __future__ import annotations

import os
import re
from typing import Any

from ..base import native, report
from ..target import target
from . import frames

CURE = "run the program with NUMBA_DEBUGINFO=1, or write debug=True in its @njit"
_WRITTEN = ("function", "generator-next")


def note(of: target.Target, name: str) -> str:
    """Return what is said of a breakpoint without a condition at this function; "" where the function is described.
    conditions.py says it of those with one."""
    function = _of_name(of, name)
    if not function:
        return ""
    return f"{function} has no debug information: it stops at calls, and not where {function} was inlined; {CURE}"


def never(function: str, condition: str) -> str:
    """Return the line about a condition on variables that nobody has described."""
    return f"{function} has no debug information, so `{condition}` cannot be evaluated and it never stops: {CURE}"


def without_variables(of: target.Target, frame: Any) -> str:
    """Return why nothing is known of this compiled frame's variables; "" where it is described."""
    function = frames.compiled_at(of, frame)
    if function is None or function["debug_info"]:
        return ""
    return f"{function['name']} has no debug information, so its variables are not known: {CURE}"


def expect_variables(of: target.Target, frame: Any) -> None:
    """Raise Problem where nothing is known of this compiled frame's variables."""
    if text := without_variables(of, frame):
        raise report.Problem(text)


def is_described(of: target.Target, path: str, name: str, lines: range) -> bool:
    """Is a function of this name, on these lines of the file, compiled with debug information?"""
    found = native.json_of("js_program_functions", of.program, rf"(^|\.){re.escape(name)}$".encode(), 0, 0)
    return any(
        each["debug_info"] and each["line"] in lines and os.path.basename(each["file"]) == os.path.basename(path)
        for each in found
    )


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

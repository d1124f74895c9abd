"""Variables of C libraries, which GDB finds if a compiled frame has no variable of the name: `print two` shows
libm's."""

from __future__ import annotations

import re
from typing import Any

import gdb
from jitscope_shared.base import native

from ..base import console, report
from ..target import target
from . import frame_variables, frames, undescribed

_NAME = re.compile(r"(?<![\w$.:])(?<!->)[^\W\d]\w*(?!\s*::|\w)")
_NO_VALUES = (gdb.SYMBOL_LOC_TYPEDEF, gdb.SYMBOL_LOC_LABEL, gdb.SYMBOL_LOC_BLOCK)  # types, labels and functions
_SHOWN = 12  # names in a message


def of_expression(expression: str) -> str:
    """Return the first name of the expression that is a C library's variable and not the selected frame's; "" if there
    is none."""
    names = dict.fromkeys(_NAME.findall(console.STRING.sub("0", expression)))
    return next((name for name in names if _is_cs(name)), "")


def _is_cs(name: str) -> bool:
    try:
        symbol = gdb.lookup_symbol(name)[0]
    except gdb.error:  # there is no debug information here
        symbol = None
    symbol = symbol or gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
    return symbol is not None and symbol.addr_class not in _NO_VALUES and not _is_frames(name)


def _is_frames(name: str) -> bool:
    """True for a variable of the frame's function. GDB does not look for names in a function that it is inlined in."""
    try:
        block = gdb.selected_frame().block()
    except RuntimeError:
        return False
    while block is not None and not block.is_static and not block.is_global:
        if any(symbol.name == name for symbol in block):
            return True
        if block.function is not None:
            return False
        block = block.superblock
    return False


def lacks(debuggee: target.Target, frame: Any, name: str) -> str:
    """Return the error message for a name that a compiled frame does not have and a C library has."""
    function = frames.compiled_at(debuggee, frame)
    if function is None:
        return f"NameError: name '{name}' is not defined"
    if text := undescribed.without_variables(debuggee, frame):
        return text
    try:
        known = [entry["name"] for entry in frame_variables.read(debuggee, frame, frame_variables.ALL, summary=True)]
    except native.NativeError:
        known = []
    shown = ", ".join(sorted(set(known))[:_SHOWN]) or "none"
    return f"{frame.name() or function['name']} has no variable `{name}`; it has {shown}"


def expect_none(debuggee: target.Target, expression: str) -> None:
    """Raise Problem if an expression in a compiled frame would read a C library's variable."""
    if name := of_expression(expression):
        raise report.Problem(lacks(debuggee, gdb.selected_frame(), name))

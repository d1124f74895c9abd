"""GDB's `set variable`, and assignments in `print`. GDB accepts an assignment to a variable that is in parts
(registers, or computed), then shows it as `<optimized out>`, and changes nothing. Here that is an error, like GDB's own
error for a variable in one place that is no lvalue."""

from __future__ import annotations

import re

import gdb

from ..base import report
from ..frames import frames
from ..target import target
from . import c_forms
from .gdb_break import Replacement

_ASSIGNMENT = re.compile(r"\s*([^\W\d]\w*(?:\.\w+|\[[^][]*\])*)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)")

_ASSIGNS = re.compile(r"(?<![=!<>])=(?!=)|(?:<<|>>)=|\+\+|--")
_WARNING = "warning: Expression is not an assignment (and might have no effect)\n"  # a warning of GDB's


def expect_place(expression: str) -> None:
    """Raise Problem if the expression assigns to a place that the program does not read."""
    match = _ASSIGNMENT.match(expression)
    if match is None:
        return
    c_forms.expect_c(match[1])
    try:
        frames.selected(target.current())
        value = gdb.parse_and_eval(match[1])
        is_place = value.address is not None
        kind = value.type.strip_typedefs()
    except (gdb.error, report.Problem):
        return  # GDB itself reports the error
    if not is_place and kind.code not in (gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_METHOD):
        raise report.Problem("Left operand of assignment is not an lvalue.")


class SetVariable(Replacement):
    more = ""

    def __init__(self) -> None:
        super().__init__("set variable", gdb.COMPLETE_EXPRESSION, gdb.COMMAND_DATA)

    def run(self, argument: str) -> None:
        expect_place(argument)
        if argument.strip() and not _ASSIGNS.search(argument):
            gdb.write(_WARNING, gdb.STDERR)
        try:
            gdb.parse_and_eval(argument).fetch_lazy()
        except gdb.error as error:
            raise gdb.GdbError(str(error)) from None


def create() -> None:
    SetVariable()

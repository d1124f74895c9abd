"""The `jit` commands that make breakpoints."""

from __future__ import annotations

from typing import Any

from jitscope_shared.commands import options

from .. import python_breakpoints
from ..stops import raising
from .base import Command


class Break(Command):
    """Use this to stop in a function by its Python name, or at a line.
    Usage: jit break NAME|FILE:LINE [if CONDITION]

    NAME is a function's name, with or without its module or class. Functions that are
    compiled later are found, too. CONDITION is Python over the variables there, as for
    `jit print`. LLDB's own commands list and delete the breakpoint."""

    name = "break"
    takes_argument = True
    is_expression = True
    needs_process = False

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        return python_breakpoints.create(debugger.GetSelectedTarget(), arguments.rest)


class Tbreak(Break):
    """Use this to stop in a function, or at a line, once.
    Usage: jit tbreak NAME|FILE:LINE [if CONDITION]

    It is like `jit break`, and LLDB deletes the breakpoint at its first stop."""

    name = "tbreak"

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        return python_breakpoints.create(debugger.GetSelectedTarget(), arguments.rest, is_temporary=True)


class Catch(Command):
    """Use this when compiled code raises an exception, to stop there.
    Usage: jit catch [TYPE …] [if CONDITION]

    This is one breakpoint for all places, also in code that is compiled later. A class
    catches classes derived from it, too, as far as the compiled code shows them.
    CONDITION is Python over the variables there, as for `jit print`. LLDB's own commands
    list and delete the breakpoint."""

    name = "catch"
    takes_argument = True
    needs_process = False

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        return raising.create(debugger.GetSelectedTarget(), arguments.rest)

"""`jit print EXPR` and `$jit("EXPR")`."""

from __future__ import annotations

import inspect
from typing import Any

import gdb

from .. import frames, report, target
from .base import Arguments, JitCommand, write, write_json
from .why import ask, names


class Print(JitCommand):
    """Show a Python expression in the selected compiled frame.
    Usage: jit print [-json] EXPR

    EXPR is a variable, and behind it attributes, integer indices and slices:
      jit print a[2:5, ::2]
      jit print point.x
      jit print a.shape[0]
    `print $jit("EXPR")` gives the same to GDB's expressions: a number for a
    number, else the text.
      -json   as docs/schema/print.json says"""

    name = "print"
    options = ("-json",)
    takes_argument = True

    def words(self, of: target.Target) -> list[str]:
        return names(of)

    def run(self, of: target.Target, arguments: Arguments) -> None:
        if not arguments.rest:
            raise report.Problem(self.usage())
        found = evaluate(of, arguments.rest)
        if "-json" in arguments:
            write_json(found)
        elif found.get("error"):
            raise report.Problem(found["error"])
        else:
            write(found["text"])


def evaluate(of: target.Target, expression: str) -> dict[str, Any]:
    """The entry of js_program_print. Raises Problem for a name that is not there."""
    return ask(of, "js_program_print", expression, frames.render_options())


class Convenience(gdb.Function):
    """$jit("EXPR"): a Python expression in the selected compiled frame, as `jit print` shows it.
    A number is a number, True and False are 1 and 0; else it is the text."""

    def __init__(self) -> None:
        type(self).__doc__ = inspect.cleandoc(type(self).__doc__ or "")
        super().__init__("jit")

    def invoke(self, expression: Any) -> Any:
        try:
            found = evaluate(target.current(), expression.string())
            if found.get("error"):
                raise report.Problem(found["error"])
            value = found["value"]
            if found["state"] != "exact":
                raise report.Problem(f"{expression.string()} is {found['text']}")
            if isinstance(value, (bool, int, float)):
                return _number(value)
            return found["text"]
        except (Exception, KeyboardInterrupt) as error:
            raise gdb.GdbError(report.line_of(error)) from None


def _number(value: bool | int | float) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        return gdb.parse_and_eval(str(value))
    return value


def create() -> None:
    Print()
    Convenience()

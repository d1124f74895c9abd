"""Expressions that a DAP client evaluates (watch, hover, new values): in frames of compiled code and in Python's own
frames they are Python. GDB's server evaluates C."""

from __future__ import annotations

import contextlib
import re
from typing import Any, Callable

import gdb

from ..backtrace.python_frame import PythonFrame
from ..base import report
from ..breakpoints import condition_text
from ..commands import print as python
from ..frames import c_variables, frames
from ..present.printed_values import TextPrinter, printed
from ..stacks import selection
from ..target import target
from . import dap_assignments, dap_server

# The types of a Python frame's values: the evaluator knows the value of a number, and not whether it is NumPy's.
_NUMBERS = {"int64": "integer", "float64": "float", "complex128": "complex", "pyobject": "object"}
_NO_COMMAND = re.compile("Undefined command:|Ambiguous command ")
# A variable or a part of one. GDB evaluates it if it can, so that a client can unfold its parts.
_PATH = re.compile(r"\s*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\s*")


def adopt() -> None:
    """Have GDB's DAP server evaluate Python."""
    dap_server.replace(dap_server.module("evaluate"), "parse_and_eval", _evaluating)
    dap_server.replace(dap_server.module("evaluate"), "select_frame", _selecting)
    dap_server.replace(dap_server.module("evaluate"), "_repl", _commanding)


def _selecting(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that selects a frame by the client's number, a Python frame too."""

    def select(number: int) -> None:
        # GDB's server may select another thread before it has the decorator, and the decorator its own thread after it
        frame = dap_server.module("frames").frame_for_id(number)
        original(number)
        if isinstance(frame, PythonFrame):
            selection.remember(target.current(), frame.entry)

    return select


def _commanding(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs what is typed in a client's console: a command of GDB's, or, if GDB has no such
    command, a Python expression."""

    def command(text: str, frame: Any) -> Any:
        try:
            return original(text, frame)
        except gdb.error as error:
            if not _NO_COMMAND.match(str(error)) or not (_is_python() or _is_compiled()):
                raise
            try:
                value = _python(text)
            except gdb.error as problem:
                raise gdb.error(f"{error}  As Python: {problem}") from None
            return {"result": value.printer.to_string(), "variablesReference": 0}

    return command


def _evaluating(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that evaluates an expression in the selected frame."""

    def evaluate(expression: str, *arguments: Any, **named: Any) -> Any:
        if _is_python() and not condition_text.is_gdb_expression(expression):
            return _python(expression)
        if not _is_compiled():
            return original(expression, *arguments, **named)
        if name := c_variables.of_expression(expression):
            return _without_c(expression, name)
        first: Exception | None = None
        path = _PATH.fullmatch(expression) is not None
        for is_python in (not path, path):
            try:
                return (
                    _python(expression) if is_python else _of_gdb(expression, original(expression, *arguments, **named))
                )
            except Exception as error:  # the other one may know it; DAP's own errors have no common class with GDB's
                first = first or error
        assert first is not None
        raise first

    return evaluate


def _of_gdb(expression: str, value: Any) -> Any:
    """Return GDB's value of an expression, or Python's, if it is the name of a function in both."""
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_FUNC:
        with contextlib.suppress(gdb.error):
            return _python(expression)
    return dap_assignments.Place(value)


def _without_c(expression: str, name: str) -> Any:
    """Evaluate an expression with a name that GDB would look for among the variables of C libraries."""
    try:
        return _python(expression)
    except gdb.error as error:
        if not str(error).startswith("NameError"):
            raise
        debuggee = target.current()
        raise gdb.error(c_variables.lacks(debuggee, gdb.selected_frame(), name)) from None


def _is_python() -> bool:
    """True if the selected frame is one of Python's own, whose variables GDB does not know."""
    try:
        return selection.chosen_python(target.current()) is not None
    except gdb.error:
        return False


def _is_compiled() -> bool:
    try:
        frames.selected(target.current())
    except (report.Problem, gdb.error):
        return False
    return True


def _python(expression: str) -> Any:
    found = python.evaluate(target.current(), expression)
    if found.get("error"):
        raise gdb.error(report.line_of(python.error_of(found)).splitlines()[-1])
    kind, value = found["type"] or "", _number(found)
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        kind = "integer"  # the type's name is that of the operands
    made = printed(TextPrinter(found["text"]), _NUMBERS.get(kind, kind) if _is_python() else kind, value)
    made.number = value
    made.write = lambda given: dap_assignments.write(expression, made, given, lambda: _python(expression))
    return made


def _number(found: dict[str, Any]) -> bool | int | float | None:
    """Return a number as GDB computes with it and writes it; None for other values, and for larger numbers."""
    value = found["value"]
    if isinstance(value, str) and (found["type"] or "").startswith("float"):
        return float(value)  # JSON has no nan and inf, so these are texts
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        return None
    return value if isinstance(value, (bool, int, float)) else None

"""Expressions that a DAP client evaluates (watch, hover, new values): in frames of compiled code and in Python's own
frames they are Python. GDB's server evaluates C."""

from __future__ import annotations

import re
from typing import Any, Callable

import gdb

from ..backtrace.python_frame import PythonFrame
from ..base import report
from ..breakpoints import condition_text
from ..commands import print as python
from ..frames import c_variables, frames
from ..present.printed_values import Printed, TextPrinter, printed
from ..run_commands import c_forms
from ..stacks import selection
from ..target import target
from . import dap_server

# The types of a Python frame's values: the evaluator knows the value of a number, and not whether it is NumPy's.
_NUMBERS = {"int64": "integer", "float64": "float", "complex128": "complex", "pyobject": "object"}
_NO_COMMAND = re.compile("Undefined command:|Ambiguous command ")
# A variable or a part of one. GDB evaluates it if it can, so that a client can unfold its parts.
_PATH = re.compile(r"\s*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\s*")

# What is behind a value with parts that jitscope made: nothing, a record or an array of one.
_PARTS = (gdb.TYPE_CODE_VOID, gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_ARRAY)


def adopt() -> None:
    """Have GDB's DAP server evaluate Python."""
    dap_server.replace(dap_server.module("evaluate"), "parse_and_eval", _evaluating)
    dap_server.replace(dap_server.module("evaluate"), "select_frame", _selecting)
    dap_server.replace(dap_server.module("evaluate"), "_repl", _commanding)
    dap_server.replace(getattr(dap_server.module("varref"), "VariableReference", None), "assign", _assigning)


def _assigning(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that writes a value of a Python expression to a variable only where the variable can hold it."""

    def assign(variable: Any, value: Any) -> None:
        own = variable._value if hasattr(variable, "_value") else variable.value  # GDB 17 has renamed it
        if isinstance(own, Printed) and own.type.strip_typedefs().code in _PARTS:
            raise gdb.error("only single values can be written: unfold it, and write the values in it")
        if isinstance(value, Printed):
            _expect_fit(own.type.strip_typedefs(), value)
        original(variable, value)

    return assign


def _expect_fit(kind: Any, value: Printed) -> None:
    """Raise gdb.error where a variable of this type cannot hold the value: GDB would cut it as C does."""
    number, text = value.number, value.printer.to_string()
    if number is None:
        raise gdb.error(f"{text} is no number that can be written")
    if kind.code != gdb.TYPE_CODE_INT:
        return
    is_signed = getattr(kind, "is_signed", True)
    low, high = (-1 << 8 * kind.sizeof - 1, 1 << 8 * kind.sizeof - 1) if is_signed else (0, 1 << 8 * kind.sizeof)
    if number != number or not low <= number < high or int(number) != number:
        raise gdb.error(f"{text} is no value of {kind}")


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
                return _python(expression) if is_python else original(expression, *arguments, **named)
            except Exception as error:  # the other one may know it; DAP's own errors have no common class with GDB's
                first = first or error
        assert first is not None
        raise first

    return evaluate


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
    made.write = lambda given: _write(made, expression, given)
    return made


def _write(made: Printed, expression: str, value: Any) -> None:
    """Write a value to the element or attribute that the expression names, and show what is there now. GDB needs the
    place in C's form."""
    place = _place_of(expression)
    if place is None:
        raise gdb.error("Left operand of assignment is not an lvalue.")
    if isinstance(value, Printed):
        _expect_fit(place.type.strip_typedefs(), value)
    place.assign(value)
    made.printer = _python(expression).printer


def _place_of(expression: str) -> Any:
    """Return GDB's value of a place in memory that is written as in Python; None: it is none."""
    try:
        form = c_forms.form_of(expression) or expression
    except report.Problem as problem:
        raise gdb.error(report.line_of(problem)) from None
    try:
        place = gdb.parse_and_eval(form)
        return place if place.address is not None else None
    except gdb.error:  # it is no C, or it is computed
        return None


def _number(found: dict[str, Any]) -> bool | int | float | None:
    """Return a number as GDB computes with it and writes it; None for other values, and for larger numbers."""
    value = found["value"]
    if isinstance(value, str) and (found["type"] or "").startswith("float"):
        return float(value)  # JSON has no nan and inf, so these are texts
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        return None
    return value if isinstance(value, (bool, int, float)) else None

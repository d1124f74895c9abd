"""Values that a DAP client writes (`setVariable`, `setExpression`). GDB's server evaluates the new value in the frame
that happens to be selected, and cuts it as C does; here it is evaluated in the variable's frame, and has to fit."""

from __future__ import annotations

from typing import Any, Callable

import gdb

from ..base import report
from ..present.printed_values import Printed
from ..run_commands import c_forms
from . import dap_server

# What is behind a value with parts: nothing, a record or an array of one.
_PARTS = (gdb.TYPE_CODE_VOID, gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_ARRAY)
_INTEGERS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR)
_NUMBERS = (*_INTEGERS, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_FLT)
_FRAME = "jitscope_frame"  # the attribute in which a client's variable has the number of its frame


class Place(gdb.Value):  # type: ignore[misc]
    """A value of GDB's own, for an expression, to which only what it can hold is written."""

    def assign(self, value: Any) -> None:
        expect_fit(self.type, value)
        super().assign(value)


def adopt() -> None:
    """Have GDB's DAP server check what it writes."""
    varref = dap_server.module("varref")
    dap_server.replace(getattr(varref, "VariableReference", None), "assign", _assigning)
    dap_server.replace(getattr(varref, "BaseReference", None), "fetch_children", _unfolding)
    dap_server.replace(dap_server.module("evaluate"), "find_variable", _finding)


def expect_fit(kind: Any, value: Any) -> None:
    """Raise gdb.error where a place of this type of GDB's cannot hold the value: GDB would cut it as C does."""
    kind = kind.strip_typedefs()
    if kind.code in _PARTS:
        raise gdb.error("only single values can be written: unfold it, and write the values in it")
    number, text = _read(value)
    if kind.code not in _NUMBERS:
        if not isinstance(value, Printed) and value.type.strip_typedefs().code == kind.code:  # C's own, as a pointer
            return
        raise gdb.error(f"a value of {kind} cannot be written here")
    if number is None:
        raise gdb.error(f"{text} is no number that can be written")
    if kind.code == gdb.TYPE_CODE_FLT:
        return
    low, high = (0, 2) if kind.code == gdb.TYPE_CODE_BOOL else _range(kind)
    if number != number or not low <= number < high or int(number) != number:
        raise gdb.error(f"{text} is no value of {kind}")


def write(place: str, made: Printed, value: Any, again: Callable[[], Any]) -> None:
    """Write a value to the element or attribute that an expression of Python names, and show what is there then.
    `again`: evaluates the expression. GDB needs the place in C's form."""
    found = _place_of(place)
    if found is None:
        raise gdb.error("Left operand of assignment is not an lvalue.")
    expect_fit(found.type, value)
    found.assign(value)
    made.printer = again().printer


def _range(kind: Any) -> tuple[int, int]:
    bits = 8 * kind.sizeof
    return (-1 << bits - 1, 1 << bits - 1) if getattr(kind, "is_signed", True) else (0, 1 << bits)


def _read(value: Any) -> tuple[bool | int | float | None, str]:
    """Return a value as a number (None: it is none), and its text."""
    if isinstance(value, Printed):
        return value.number, value.printer.to_string()
    code = value.type.strip_typedefs().code
    if value.is_optimized_out or code not in _NUMBERS:
        return None, str(value)
    return float(value) if code == gdb.TYPE_CODE_FLT else int(value), str(value)


def _place_of(expression: str) -> Any:
    """Return GDB's value of a place in memory that is written as in Python; None: it is none."""
    try:
        form = c_forms.form_of(expression)
    except report.Problem as problem:
        raise gdb.error(report.line_of(problem)) from None
    if not form and c_forms.has_other_meaning(expression):
        return None
    try:
        place = gdb.parse_and_eval(form or expression)
        return place if place.address is not None else None
    except gdb.error:  # it is no C, or it is computed
        return None


def _assigning(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that writes a value of a Python expression to a variable only where the variable can hold it."""

    def assign(variable: Any, value: Any) -> None:
        own = variable._value if hasattr(variable, "_value") else variable.value  # GDB 17 has renamed it
        if not isinstance(own, Printed) or own.write is None:
            expect_fit(own.type, value)
        original(variable, value)

    return assign


def _unfolding(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that notes for each part of a variable which frame it is of."""

    def fetch_children(whole: Any, *arguments: Any, **named: Any) -> Any:
        number = getattr(whole, "_frameId", getattr(whole, "frameId", getattr(whole, _FRAME, None)))
        for part in original(whole, *arguments, **named):
            setattr(part, _FRAME, number)
            yield part

    return fetch_children


def _finding(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that selects the frame of the variable it finds, in which a new value is then evaluated."""

    def find_variable(number: int) -> Any:
        found = original(number)
        frame = getattr(found, "_frameId", getattr(found, "frameId", getattr(found, _FRAME, None)))
        if frame is not None:
            dap_server.module("evaluate").select_frame(frame)
        return found

    return find_variable

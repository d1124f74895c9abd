"""Expressions that a DAP client evaluates (watch, hover): in frames of compiled code and in Python's own frames they
are Python.

GDB's server is Python (gdb/python/lib/gdb/dap/) and evaluates C. This module replaces two functions, found by name; in
a GDB whose functions have other names, expressions are C."""

from __future__ import annotations

import re
import sys
from typing import Any, Callable

import gdb

from ..backtrace.python_frame import PythonFrame
from ..base import events, report
from ..breakpoints import condition_text
from ..commands import print as python
from ..frames import frames
from ..present.printed_values import TextPrinter, printed
from ..stacks import selection
from ..target import target

_SERVER, _EVALUATE, _SELECT = "gdb.dap.evaluate", "parse_and_eval", "select_frame"
# The types of a Python frame's values: the evaluator knows the value of a number, and not whether it is NumPy's.
_NUMBERS = {"int64": "integer", "float64": "float", "complex128": "complex", "pyobject": "object"}
# A variable or a part of one. GDB evaluates it if it can, so that a client can unfold its parts.
_PATH = re.compile(r"\s*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\s*")


@events.on("stop", order=20)
def extend(_event: Any) -> None:
    """Replace the functions once GDB's server is there; a second call does nothing."""
    server = sys.modules.get(_SERVER)
    for name, replacement in ((_EVALUATE, _evaluating), (_SELECT, _selecting)):
        original = getattr(server, name, None)
        if callable(original) and not getattr(original, "is_jitscope", False):
            made = replacement(original)
            made.is_jitscope = True  # type: ignore[attr-defined]
            setattr(server, name, made)


def _selecting(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that selects a frame by the client's number, a Python frame too."""

    def select(number: int) -> None:
        original(number)
        frame = sys.modules["gdb.dap.frames"].frame_for_id(number)
        if isinstance(frame, PythonFrame):
            selection.remember(target.current(), frame.entry)

    return select


def _evaluating(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that evaluates an expression in the selected frame."""

    def evaluate(expression: str, *arguments: Any, **named: Any) -> Any:
        if _is_python() and not condition_text.is_gdb_expression(expression):
            return _python(expression)
        if not _is_compiled():
            return original(expression, *arguments, **named)
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
    kind = found["type"] or ""
    return printed(TextPrinter(found["text"]), _NUMBERS.get(kind, kind) if _is_python() else kind, _plain(found))


def _plain(found: dict[str, Any]) -> Any:
    """Return a number as GDB computes with it, or else the text."""
    value = found["value"]
    is_number = isinstance(value, float) or isinstance(value, int) and -(1 << 63) <= value < 1 << 63
    return value if is_number else found["text"]

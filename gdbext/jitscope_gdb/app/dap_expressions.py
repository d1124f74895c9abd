"""Expressions that a DAP client evaluates (watch, hover): in frames of compiled code they are Python.

GDB's server is Python (gdb/python/lib/gdb/dap/) and evaluates C. This module replaces one function, found by name; in a
GDB whose function has another name, expressions are C."""

from __future__ import annotations

import re
import sys
from typing import Any

import gdb

from ..base import events, report
from ..commands import print as python
from ..frames import frames
from ..present.text_value import Text
from ..target import target

_SERVER, _NAME = "gdb.dap.evaluate", "parse_and_eval"
# A variable or a part of one. GDB evaluates it if it can, so that a client can unfold its parts.
_PATH = re.compile(r"\s*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\s*")


@events.on("stop", order=20)
def extend(_event: Any) -> None:
    """Replace the function once GDB's server is there; a second call does nothing."""
    server = sys.modules.get(_SERVER)
    original = getattr(server, _NAME, None)
    if not callable(original) or getattr(original, "is_python", False):
        return

    def evaluate(expression: str, *arguments: Any, **named: Any) -> Any:
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

    evaluate.is_python = True  # type: ignore[attr-defined]
    setattr(server, _NAME, evaluate)


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
    made = Text(_plain(found))
    made.shown = found["text"]
    return made


def _plain(found: dict[str, Any]) -> Any:
    """Return a number as GDB computes with it, or else the text."""
    value = found["value"]
    is_number = isinstance(value, float) or isinstance(value, int) and -(1 << 63) <= value < 1 << 63
    return value if is_number else found["text"]

"""`@jitscope.steps` and `@jitscope.exact`: the level of one function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from jitscope.compiler.base import levels

F = TypeVar("F", bound=Callable[..., Any])


def steps(function: F) -> F:
    """Above `@njit(debug=True)`, or below it: the function is compiled so that every line is a stop, and every variable
    that has a value is there, with a debugger and without. It costs speed.

    Return the function itself. Code of it that exists already is compiled again."""
    return _mark(function, levels.STEPS)


def exact(function: F) -> F:
    """Above `@njit(debug=True)`, or below it: the function runs at full speed under a debugger too, for a bug that only
    optimised code has. Its innermost loops then keep no variables.

    Return the function itself. Code of it that exists already is compiled again."""
    return _mark(function, levels.EXACT)


def _mark(function: F, level: str) -> F:
    python_function = getattr(function, "py_func", function)
    setattr(python_function, levels.MARK, level)
    if getattr(function, "signatures", None):
        function.recompile()  # type: ignore[attr-defined]
    return function

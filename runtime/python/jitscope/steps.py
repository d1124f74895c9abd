"""`@jitscope.steps`: the level of one function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from jitscope.compiler import levels

F = TypeVar("F", bound=Callable[..., Any])


def steps(function: F) -> F:
    """Above `@njit(debug=True)`, or below it: the function is compiled so that every line is a stop, and every variable
    that has a value is there. Costs speed; without it, debug=True costs none.

    Returns the function itself. What of it has been compiled already is compiled again."""
    python_function = getattr(function, "py_func", function)
    setattr(python_function, levels.MARK, levels.STEPS)
    if getattr(function, "signatures", None):
        function.recompile()  # type: ignore[attr-defined]
    return function

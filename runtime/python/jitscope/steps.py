"""`@jitscope.steps` and `@jitscope.exact`: the level of one function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from jitscope.compiler.base import levels

F = TypeVar("F", bound=Callable[..., Any])


def steps(function: F) -> F:
    """Compile a function so that every line is a stop, and every variable that has a value is there, with a debugger
    and without. It costs speed.

    The decorator is above `@njit(debug=True)`, or below it.

    Args:
        function: a Python function, or what `@njit` has returned. Code that exists already is compiled again.

    Returns:
        The function itself.

    Raises:
        AttributeError: the object is no function: it takes no mark.

    Example::

        from numba import njit
        import jitscope

        @jitscope.steps
        @njit(debug=True)
        def add(a, b):
            c = a + b
            return c

        add(1, 2)
    """
    return _mark(function, levels.STEPS)


def exact(function: F) -> F:
    """Let a function run at full speed under a debugger too, for a bug that only optimised code has. Its innermost
    loops then keep no variables.

    The decorator is above `@njit(debug=True)`, or below it.

    Args:
        function: a Python function, or what `@njit` has returned. Code that exists already is compiled again.

    Returns:
        The function itself.

    Raises:
        AttributeError: the object is no function: it takes no mark.

    Example::

        from numba import njit
        import jitscope

        @jitscope.exact
        @njit(debug=True)
        def total(n):
            t = 0
            for i in range(n):
                t += i
            return t

        total(10)
    """
    return _mark(function, levels.EXACT)


def _mark(function: F, level: str) -> F:
    python_function = getattr(function, "py_func", function)
    setattr(python_function, levels.MARK, level)
    if getattr(function, "signatures", None):
        function.recompile()  # type: ignore[attr-defined]
    return function

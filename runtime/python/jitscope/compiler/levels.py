"""Which level a function is compiled at: `exact` (full speed), `steps` (every line a stop, every variable there), or
`stock` (as Numba does it)."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

EXACT, STEPS, STOCK = "exact", "steps", "stock"
MARK = "__jitscope_level__"

F = TypeVar("F", bound=Callable[..., Any])


def is_on() -> bool:
    """Read when Numba starts."""
    return os.environ.get("JITSCOPE") != "0" and os.environ.get("JITSCOPE_LEVEL") != STOCK


def is_numbas_test(path: str) -> bool:
    """Numba's own tests are about the debug information that Numba itself writes: their functions keep that."""
    import numba

    tests = os.path.join(os.path.dirname(os.path.realpath(numba.__file__)), "tests", "")
    return os.path.realpath(path).startswith(tests)


def mark_steps(function: F) -> F:
    """`@jitscope.steps`: what is compiled of the function from now on is at `steps`."""
    setattr(getattr(function, "py_func", function), MARK, STEPS)
    if getattr(function, "signatures", None):
        function.recompile()  # type: ignore[attr-defined]
    return function


def _named(function: Any) -> bool:
    wanted = os.environ.get("JITSCOPE_STEPS", "")
    name = f"{function.__module__}.{function.__qualname__}".replace(".<locals>", "")
    return any(name == entry.strip() or function.__name__ == entry.strip() for entry in wanted.split(","))


def level_of(function: Any, within: str | None = None) -> str:
    """function: the Python function; within: the level of the function that it is a piece of (a parallel kernel)."""
    if getattr(function, MARK, None) == STEPS or os.environ.get("JITSCOPE_LEVEL") == STEPS or _named(function):
        return STEPS
    return within or EXACT

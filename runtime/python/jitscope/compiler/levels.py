"""Which level a function is compiled at: `exact` (full speed), `steps` (every line a stop, every variable there), or
`stock` (as Numba does it)."""

from __future__ import annotations

import os
from typing import Any

EXACT, STEPS, STOCK = "exact", "steps", "stock"
MARK = "__jitscope_level__"  # of a Python function: what @jitscope.steps has said


def is_on() -> bool:
    """Read when Numba starts."""
    return os.environ.get("JITSCOPE") != "0" and os.environ.get("JITSCOPE_LEVEL") != STOCK


def debugs_all() -> bool:
    """Do functions that are compiled without debug=True get debug information, too?"""
    return os.environ.get("JITSCOPE_DEBUG") == "all"


def _named(function: Any) -> bool:
    wanted = os.environ.get("JITSCOPE_STEPS", "")
    name = f"{function.__module__}.{function.__qualname__}".replace(".<locals>", "")
    return any(name == entry.strip() or function.__name__ == entry.strip() for entry in wanted.split(","))


def level_of(function: Any, within: str | None = None) -> str:
    """function: the Python function; within: the level of the function that it is a piece of (a parallel kernel)."""
    if getattr(function, MARK, None) == STEPS or os.environ.get("JITSCOPE_LEVEL") == STEPS or _named(function):
        return STEPS
    return within or EXACT

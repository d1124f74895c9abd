"""Which level a function is compiled at: `exact` (full speed), `steps` (every line a stop, every variable there), or
`stock` (as Numba does it)."""

from __future__ import annotations

import os
from typing import Any

EXACT, STEPS, STOCK = "exact", "steps", "stock"
_ALL = (EXACT, STEPS, STOCK)
AUTO, STEPPED, PLAIN = "auto", "stepped", "plain"
MARK = "__jitscope_level__"  # of a Python function: what @jitscope.steps has said


def is_on() -> bool:
    """Read when Numba starts."""
    return os.environ.get("JITSCOPE") != "0" and os.environ.get("JITSCOPE_LEVEL") != STOCK


def debugs_all() -> bool:
    """Do functions that are compiled without debug=True get debug information, too?"""
    return os.environ.get("JITSCOPE_DEBUG") == "all"


def loops() -> str:
    """At `steps`, do innermost loops of plain arithmetic step: where a debugger is there (`auto`), always (`stepped`),
    or never (`plain`)?"""
    asked = os.environ.get("JITSCOPE_LOOPS", "")
    return asked if asked in (STEPPED, PLAIN) else AUTO


def unknown() -> str | None:
    """What is wrong with JITSCOPE_LEVEL or JITSCOPE_LOOPS, or None."""
    for name, known in (("JITSCOPE_LEVEL", _ALL), ("JITSCOPE_LOOPS", (AUTO, STEPPED, PLAIN))):
        asked = os.environ.get(name)
        if asked and asked not in known:
            return f"{name}={asked} is none of {', '.join(known)}: taken as {known[0]}"
    return None


def _wanted() -> list[str]:
    return [entry.strip() for entry in os.environ.get("JITSCOPE_STEPS", "").split(",") if entry.strip()]


_found: set[str] = set()  # entries of JITSCOPE_STEPS that a function has been compiled for


def unmatched() -> str | None:
    """What JITSCOPE_STEPS names and nothing was called that has been compiled, or None."""
    names = [entry for entry in _wanted() if entry not in _found]
    return f"JITSCOPE_STEPS: nothing compiled is called {', '.join(names)}" if names else None


def _named(function: Any) -> bool:
    name = f"{function.__module__}.{function.__qualname__}".replace(".<locals>", "")
    matching = {entry for entry in _wanted() if entry in (name, function.__name__)}
    _found.update(matching)
    return bool(matching)


def level_of(function: Any, within: str | None = None) -> str:
    """function: the Python function; within: the level of the function that it is a piece of (a parallel kernel)."""
    is_named = _named(function)
    if is_named or getattr(function, MARK, None) == STEPS or os.environ.get("JITSCOPE_LEVEL") == STEPS:
        return STEPS
    return within or EXACT

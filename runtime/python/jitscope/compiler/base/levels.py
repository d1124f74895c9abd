"""The level at which a function is compiled, with the source of the choice: `exact` (full speed), `steps` (every line
is a stop, and every variable is kept), `lines` (Numba's own code, with its lines), or `stock` (as Numba does it)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from jitscope import stops
from jitscope.compiler.base import fast, own_code, wanted

EXACT, STEPS, LINES, STOCK = "exact", "steps", "lines", "stock"
_ALL = (EXACT, STEPS, STOCK)
ALL, OFF = "all", "off"  # JITSCOPE_DEBUG, beside LINES
AUTO, STEPPED, PLAIN = "auto", "stepped", "plain"
KNOWN = "known"  # JITSCOPE_TRACEBACKS, beside ALL and OFF
MARK = "__jitscope_level__"  # attribute of a Python function: the level by @jitscope.steps or @jitscope.exact
KERNEL = "__numba_parfor_gufunc"  # the beginning of Numba's names of the functions for parallel loops' bodies
TEMPLATE = "<string>"  # the file of the template that Numba makes such a function of
# the beginning of its names of functions that compute an element of an array expression
ARRAY_EXPRESSION = "__numba_array_expr"
# The sources of a level's choice. The unit's producer contains the word; runtime/inspect/program/model/level.c reads
# it.
DEFAULT, DEBUGGER, FASTMATH = "default", "debugger", "fastmath"
ENVIRONMENT, DECORATOR, COMMAND_LINE = "environment", "decorator", "command-line"


class Choice(NamedTuple):
    level: str
    by: str


def is_on() -> bool:
    """True if the hook is switched on; called when Numba starts."""
    return os.environ.get("JITSCOPE") != "0" and os.environ.get("JITSCOPE_LEVEL") != STOCK


def debugs_all() -> bool:
    """True if every function that is compiled without debug=True gets debug information, too."""
    return os.environ.get("JITSCOPE_DEBUG") == ALL


def debugs(function: Any) -> bool:
    """True if the Python function `function` gets debug information, though it is compiled without debug=True: every
    function where JITSCOPE_DEBUG says so, and by default those of the user's own files, if a debugger is there or
    crashes are reported, and those that a debugger wants. The debugger may have chosen another default, which is used
    before JITSCOPE_DEBUG."""
    if wanted.forced_level(function):
        return True
    if (usual := _usual()) is not None:
        return usual != LINES or wanted.is_wanted(function)
    if debugs_all():
        return True
    if os.environ.get("JITSCOPE_DEBUG") in (OFF, LINES):
        return False
    is_own = own_code.is_own(function.__code__.co_filename)
    return (is_own and stops.CrashReports.are_on) or ((is_own or wanted.is_wanted(function)) and _is_debugged())


def has_lines(function: Any) -> bool:
    """True if the Python function `function`, which is compiled without debug information, gets its lines: every
    function, unless JITSCOPE_DEBUG says so. Numba's own functions have none, because their code belongs to the user's
    line that calls them."""
    if os.environ.get("JITSCOPE_DEBUG") == OFF:
        return False
    module = getattr(function, "__module__", None) or ""
    is_numbas = module.partition(".")[0] in ("numba", "jitscope") or function.__name__.startswith(ARRAY_EXPRESSION)
    return not is_numbas and own_code.has_source(function.__code__.co_filename)


def loops() -> str:
    """Return when innermost loops of plain arithmetic have markers at `steps`: if a debugger is there (`auto`), always
    (`stepped`), or never (`plain`)."""
    asked = os.environ.get("JITSCOPE_LOOPS", "")
    return asked if asked in (STEPPED, PLAIN) else AUTO


def tracebacks() -> str:
    """Return which frames of compiled functions tracebacks have: those that are known without any change of the code
    (`known`), all, for which code that raises calls libjitscope.so (`all`), or none but Numba's (`off`)."""
    asked = os.environ.get("JITSCOPE_TRACEBACKS", "")
    return asked if asked in (ALL, OFF) else KNOWN


def unknown() -> str | None:
    """Return the error in JITSCOPE_LEVEL, JITSCOPE_LOOPS, JITSCOPE_DEBUG or JITSCOPE_TRACEBACKS, or None."""
    settings = {
        "JITSCOPE_LEVEL": _ALL,
        "JITSCOPE_LOOPS": (AUTO, STEPPED, PLAIN),
        "JITSCOPE_DEBUG": (LINES, ALL, OFF),
        "JITSCOPE_TRACEBACKS": (KNOWN, ALL, OFF),
    }
    for name, known in settings.items():
        asked = os.environ.get(name)
        if asked and asked not in known:
            return f"{name}={asked} is none of {', '.join(known)}: it is ignored"
    return None


def _wanted() -> list[str]:
    return [entry.strip() for entry in os.environ.get("JITSCOPE_STEPS", "").split(",") if entry.strip()]


_found: set[str] = set()  # entries of JITSCOPE_STEPS for which a function has been compiled


def unmatched() -> str | None:
    """Return the names in JITSCOPE_STEPS that no compiled function has, as a text, or None."""
    names = [entry for entry in _wanted() if entry not in _found]
    return f"JITSCOPE_STEPS: nothing compiled is called {', '.join(names)}" if names else None


def _named(function: Any) -> bool:
    name = f"{function.__module__}.{function.__qualname__}".replace(".<locals>", "")
    matching = {entry for entry in _wanted() if entry in (name, function.__name__)}
    _found.update(matching)
    return bool(matching)


def _asked() -> Choice | None:
    """Return the choice by JITSCOPE_LEVEL. `jitscope run --level` sets it, and JITSCOPE_RUN_LEVEL to the same value."""
    level = os.environ.get("JITSCOPE_LEVEL", "")
    if level not in (EXACT, STEPS):
        return None
    return Choice(level, COMMAND_LINE if os.environ.get("JITSCOPE_RUN_LEVEL") == level else ENVIRONMENT)


def choice_of(function: Any, within: Choice | None = None, flags: Any = None) -> Choice:
    """Return the level at which the Python function `function` is compiled.

    `within`: the choice for the function that this one is a piece of (a parallel kernel). `flags`: Numba's flags; None:
    those of the function that is being compiled."""
    if level := wanted.forced_level(function):
        return Choice(level, DEBUGGER)
    if wanted.traps_in(function) and not fast.is_fast(function, flags if flags is not None else _flags()):
        return Choice(STEPS, DEBUGGER)
    if _named(function):
        return Choice(STEPS, ENVIRONMENT)
    marked = getattr(function, MARK, None)
    if marked in (EXACT, STEPS):
        return Choice(marked, DECORATOR)
    return within or (_around[-1] if _around else None) or _asked() or _default(function, flags)


def _flags() -> Any:
    """Return Numba's flags of the function that is being compiled, or None."""
    from numba.core import targetconfig  # `import jitscope` uses the decorators of this module without Numba

    return targetconfig.ConfigStack.top_or_none()


def level_of(function: Any) -> str:
    return choice_of(function).level


def is_left_alone(function: Any, flags: Any = None) -> bool:
    """True if the code of the Python function `function` is what Numba makes without the hook.

    With fastmath flags each further use of a number, such as the store to a slot, changes what LLVM computes: at
    `exact` such a function has no slots and no markers. `flags`: as for choice_of()."""
    if _around and function.__name__.startswith(KERNEL):
        return True
    flags = flags if flags is not None else _flags()
    return fast.is_fast(function, flags) and choice_of(function, flags=flags).level == EXACT


def is_followed(function: Any) -> bool:
    """True if the function that is being compiled gets debug information from the hook."""
    flags = _flags()
    return bool(flags and flags.debuginfo) and not is_left_alone(function, flags)


_around: list[Choice] = []  # the choices for pieces of functions that the hook leaves alone, the innermost last


@contextlib.contextmanager
def piece_of(choice: Choice) -> Iterator[None]:
    """Give a piece (a parallel kernel) of a function that the hook leaves alone the function's choice, within the
    `with` block."""
    _around.append(choice)
    try:
        yield
    finally:
        _around.pop()


def _default(function: Any, flags: Any) -> Choice:
    if fast.is_fast(
        function, flags if flags is not None else _flags()
    ):  # steps would change what the function computes
        return Choice(EXACT, FASTMATH)
    if not _is_debugged():
        return Choice(EXACT, DEFAULT)
    is_exact = _usual() == EXACT and not wanted.is_wanted(function)
    return Choice(EXACT if is_exact else STEPS, DEBUGGER)


def _usual() -> str | None:
    """Return the level that a debugger has chosen for functions for which nothing else is asked (`jit level
    -default`), or None."""
    return wanted.usual_level() if _is_debugged() else None


def _is_debugged() -> bool:
    return _seen[-1] if _seen else stops.is_debugged()


_seen: list[bool] = []  # for each compilation in progress, the innermost last: True if a debugger was there


@contextlib.contextmanager
def compiling(is_piece: bool) -> Iterator[None]:
    """Keep the answer whether a debugger is there while one function is compiled. `is_piece`: the function is a piece
    of the one that is being compiled already."""
    _seen.append(_seen[-1] if is_piece and _seen else stops.is_debugged())
    try:
        yield
    finally:
        _seen.pop()

"""Places of the source at which compiled code raises and calls, as numbers: a line, or, in code of a function that
Numba has inlined before it compiles, the number of the calls that lead there."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator
from types import CodeType
from typing import Any, NamedTuple, Optional

from jitscope.compiler.numba_ir import closures

_STATEMENT = "_jitscope_statement"  # attribute of a lowering: the statement that it writes
INLINED = 1 << 32  # the first number that is no line
# the outermost first: the code of a function, None for the one that is compiled, and the line in it
Calls = tuple[tuple[Optional[CodeType], int], ...]


class _Loop(NamedTuple):
    """A parallel loop that is being lowered."""

    statement: Any


_lowers: list[Any] = []  # Numba's lowerings that are in progress, the innermost last
# by module: calls that lead to inlined code, in the order of their numbers, by the symbol of the function
_calls: weakref.WeakKeyDictionary[Any, dict[str, list[Calls]]] = weakref.WeakKeyDictionary()


def line_of(location: Any) -> int:
    """Return the line of a DILocation, or 0 if it has none in the function's own file."""
    if location is None:
        return 0
    fields = dict(location.operands)
    return int(fields["line"]) if fields["scope"].kind != "DILexicalBlockFile" else 0


@contextlib.contextmanager
def lowering(lower: Any) -> Iterator[None]:
    """Follow the statements of a lowering within the `with` block."""
    _lowers.append(lower)
    try:
        yield
    finally:
        _lowers.pop()


def of(builder: Any) -> int:
    """Return the number of the place for which code is being written."""
    lower = _lowers[-1] if _lowers else None
    found = closures.calls_to(lower.loc) if lower is not None and _writes(lower, builder) else None
    if found is None:
        return line_of(builder.debug_metadata)
    known = _calls.setdefault(builder.module, {}).setdefault(builder.function.name, [])
    if found not in known:
        known.append(found)
    return INLINED + known.index(found)


def statement(builder: Any) -> Any:
    """Return the statement of Numba's IR for which code is being written, or None."""
    lower = _lowers[-1] if _lowers else None
    found = getattr(lower, _STATEMENT, None) if _writes(lower, builder) else None
    return found.statement if isinstance(found, _Loop) else found


def begin_statement(lower: Any, inst: Any) -> None:
    """Note which statement a lowering writes next; None: none."""
    if not isinstance(getattr(lower, _STATEMENT, None), _Loop):
        setattr(lower, _STATEMENT, inst)


@contextlib.contextmanager
def loop(lower: Any, inst: Any) -> Iterator[None]:
    """Take all that is written within the `with` block for code of a parallel loop, also its statements that Numba
    makes while it lowers the loop."""
    before = getattr(lower, _STATEMENT, None)
    setattr(lower, _STATEMENT, before if isinstance(before, _Loop) else _Loop(inst))
    try:
        yield
    finally:
        setattr(lower, _STATEMENT, before if isinstance(before, _Loop) else None)


def _writes(lower: Any, builder: Any) -> bool:
    return getattr(getattr(lower, "builder", None), "function", None) is builder.function


def take_calls(module: Any) -> dict[str, list[Calls]]:
    """Return the calls that numbers stand for in a module that has been written, by the symbol of the function."""
    return _calls.pop(module, {})

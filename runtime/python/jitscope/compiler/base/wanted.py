"""Functions that a debugger wants compiled anew: the structure jitscope_recompilation of libjitscope.so, and which
functions its entries are about."""

from __future__ import annotations

import contextlib
import ctypes
import dis
import functools
import os
from collections.abc import Iterator
from types import CodeType
from typing import Any

from jitscope import stops
from jitscope.compiler.base import own_code
from jitscope.published import ASKED, COMPILED, EXACT, LINES, STEPS, TRAPS, Recompilation, Wanted

_LEVELS = {EXACT: "exact", LINES: "lines", STEPS: "steps"}
_table: Recompilation | None = None
_forced: list[tuple[CodeType, str]] = []  # code that is being compiled anew, and its level


def begin(slot: int, serve: Any) -> Recompilation:
    """Publish that functions can be compiled anew. `slot`: the address of the pointer through which they are called;
    `serve`: a ctypes callback, which libjitscope.so calls before such a call."""
    global _table
    library = stops.library()
    library.jitscope_recompilation_begin.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.jitscope_recompilation_begin.restype = ctypes.POINTER(Recompilation)
    for name in ("changed", "end", "answer"):
        getattr(library, f"jitscope_recompilation_{name}").restype = None
    _table = library.jitscope_recompilation_begin(slot, ctypes.cast(serve, ctypes.c_void_p)).contents
    return _table


def entries(*states: int) -> Iterator[tuple[int, Wanted]]:
    """Yield the entries that are in one of these states, with their indices."""
    if _table is not None and _table.asked:
        yield from ((index, entry) for index, entry in enumerate(_table.wanted) if entry.state in states)


def is_about(entry: Wanted, function: Any) -> bool:
    """True if the entry's line is one of the Python function's, from its decorators on. An entry without a line
    has the function's name instead, or is about all of the user's own files."""
    code, text = function.__code__, os.fsdecode(entry.file)
    if entry.flags & TRAPS and not text:
        return own_code.is_own(code.co_filename)
    if not entry.line:
        qualname = function.__qualname__.replace("<locals>.", "")
        return text in (function.__name__, qualname, f"{function.__module__}.{qualname}")
    if not code.co_firstlineno <= entry.line <= _last_line(code):
        return False
    path = path_of(code.co_filename)
    return path == text or path == os.path.realpath(text) if os.path.isabs(text) else f"/{path}".endswith(f"/{text}")


def forced_level(function: Any) -> str | None:
    """Return the level of forcing() for the Python function, or None."""
    return next((level for code, level in reversed(_forced) if code is function.__code__), None)


def is_wanted(function: Any) -> bool:
    """True if an entry in force is about the Python function."""
    return any(is_about(entry, function) for _, entry in entries(ASKED, COMPILED))


def traps() -> int:
    """Return what any function stops at: OVERFLOW, NAN, both or 0."""
    is_asked = _table is not None and any(entry.flags & TRAPS for _, entry in entries(ASKED, COMPILED))
    return int(_table.traps) if is_asked and _table is not None and stops.is_debugged() else 0


def traps_in(function: Any) -> int:
    """Return what the Python function stops at: OVERFLOW, NAN, both or 0."""
    found = traps()
    asked = (entry for _, entry in entries(ASKED, COMPILED) if entry.flags & TRAPS) if found else ()
    return found if any(is_about(entry, function) for entry in asked) else 0


def level_in(entry: Wanted) -> str:
    return _LEVELS.get(entry.level, "steps")


def usual_level() -> str | None:
    """Return the level that the debugger has chosen for functions that no entry is about; None: the program's own
    default. It holds only while a debugger is there."""
    return _LEVELS.get(_table.usual) if _table is not None else None


@contextlib.contextmanager
def forcing(code: CodeType, level: str) -> Iterator[None]:
    """Have the code compiled at the level within the `with` block."""
    _forced.append((code, level))
    try:
        yield
    finally:
        _forced.pop()


@functools.cache
def path_of(name: str) -> str:
    """Return the path of a code object's file, as it is at the first call: a program may change its folder."""
    return name if name.startswith("<") else os.path.realpath(name)


@functools.lru_cache(maxsize=256)
def _last_line(code: CodeType) -> int:
    last = max((line for _, line in dis.findlinestarts(code) if line), default=code.co_firstlineno)
    return max([last, *(_last_line(constant) for constant in code.co_consts if isinstance(constant, CodeType))])

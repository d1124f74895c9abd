"""The index of Numba's cache: cached code is used only if the compiler would make the same code today. The index of
numba.core.caching (0.57-0.68) does not contain debug information. Only functions with debug information have their
level in the index: the code of others is the same under a debugger, and must be found there."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

from numba.core import caching, compiler

from jitscope.compiler.base import levels, wanted, wrappers
from jitscope.compiler.base.wrapped import wrap
from jitscope.compiler.debuginfo import dibuilder
from jitscope.compiler.numba_ir import flags
from jitscope.stops import CrashReports
from jitscope.version import __version__

# Attribute of a library: the levels.Choice for its function. A library without debug information has none.
CHOICE = "_jitscope_choice"
# JSON that a debugger reads by the name of this variable (gdbext/jitscope_shared/functions/outdated.py): for each
# function that was loaded from a cache, by its symbol, the source files that were written to after the code was saved.
# Numba's index compares the function's own file, not those of the functions that its code contains.
OUTDATED = "{}"

TRAPS = "_jitscope_traps"  # attribute of a library: what its function stops at, as wanted.traps_in() says


def check() -> str | None:
    """Return why the cache's index cannot be changed in this Numba, or None."""
    for name in _WRAPPERS:
        if not hasattr(caching.Cache, name):
            return f"numba.core.caching.Cache has no {name}"
    return None


def install() -> None:
    """Wrap the methods of Numba's cache, once for each process, after check()."""
    for name, around in _WRAPPERS.items():
        wrap(caching.Cache, name, around)
    if all(hasattr(caching.IndexDataCacheFile, name) for name in ("_load_data", "_data_path")):
        wrap(caching.IndexDataCacheFile, "_load_data", _load_data)


# the choices for the index entries that are being looked for or written, the innermost last
_choices: list[levels.Choice | None] = []


@contextlib.contextmanager
def _of(choice: levels.Choice | None) -> Iterator[None]:
    _choices.append(choice)
    try:
        yield
    finally:
        _choices.pop()


def _index_key(original: Any, self: Any, *args: Any) -> Any:
    choice = _choices[-1] if _choices else _expected(self)
    # a plain tuple, because a Numba without jitscope reads it, too
    how = (*choice, levels.loops()) if choice is not None else None
    made = dibuilder.PRODUCER, wrappers.PREFIX, __version__, levels.debugs_all(), how
    # code that calls libjitscope.so where it raises
    return (*original(self, *args), (*made, levels.ALL) if levels.tracebacks() == levels.ALL else made)


def _load(original: Any, self: Any, *args: Any) -> Any:
    choice = _expected(self)
    if choice is not None and wanted.traps():
        return None  # no cached code has traps
    with _of(choice):
        data = original(self, *args)
    if data is not None and choice is not None:
        setattr(getattr(data, "library", data), CHOICE, choice)
    return data


def _save(original: Any, self: Any, sig: Any, data: Any) -> None:
    """Save under the choice that the code was compiled by, because a debugger may have come since the cache was looked
    up. Code without a choice is not saved if it contains functions that are compiled for a debugger, because programs
    without a debugger would find it, too."""
    library = getattr(data, "library", data)
    made = getattr(library, CHOICE, None)
    if made is None and _is_for_debugger(library) or wanted.traps():
        return
    with _of(made if made is not None else _expected(self)):
        original(self, sig, data)


def _load_data(original: Any, self: Any, name: str) -> Any:
    """Load a file of the cache, and note its outdated sources before a debugger sees the code."""
    data = original(self, name)
    with contextlib.suppress(Exception):
        _note_outdated(data, os.stat(self._data_path(name)).st_mtime)
    return data


def _note_outdated(data: Any, saved: float) -> None:
    """data: a reduced CompileResult or CodeLibrary, whose machine code is an ELF file."""
    global OUTDATED
    library = data if isinstance(data[0], str) else data[0]
    code = library[2][0]
    names = {os.fsdecode(name) for name in re.findall(rb"[^\0/]+\.py(?=\0)", code)}
    paths = [path for name in names for path in _files_called(name) if os.stat(path).st_mtime > saved]
    found = sorted(path for path in paths if os.fsencode(os.path.dirname(path)) in code)
    if found:
        symbol = getattr(data[1], "mangled_name", "") if library is not data else ""
        OUTDATED = json.dumps({**json.loads(OUTDATED), symbol: found})


def _files_called(name: str) -> set[str]:
    """Return the source files of this name that modules were loaded from."""
    files = [getattr(module, "__dict__", {}).get("__file__") for module in list(sys.modules.values())]
    return {os.path.abspath(file) for file in files if isinstance(file, str) and os.path.basename(file) == name}


def _is_for_debugger(library: Any) -> bool:
    """True if a function that is linked to the library's is compiled at the level that a debugger has chosen, or has
    debug information because crashes are reported."""
    waiting, seen = [library], {id(library)}
    while waiting:
        for linked in getattr(waiting.pop(), "_linking_libraries", ()):
            choice = getattr(linked, CHOICE, None)
            if choice is not None and (choice.by == levels.DEBUGGER or CrashReports.are_on):
                return True
            if id(linked) not in seen:
                seen.add(id(linked))
                waiting.append(linked)
    return False


_WRAPPERS = {"_index_key": _index_key, "_load_overload": _load, "_save_overload": _save}


def _expected(cache: Any) -> levels.Choice | None:
    """Return how the cache's function would be compiled now; None: without debug information."""
    owner = _owner(cache)
    made = getattr(owner, "cres", None)
    if made is not None:  # a wrapper is made for a function that is compiled already
        choice: levels.Choice | None = getattr(made.library, CHOICE, None)
        return choice
    own = _flags(owner) if owner is not None else None
    return levels.choice_of(cache._py_func, flags=own) if own is None or own.debuginfo else None


def _owner(cache: Any) -> Any:
    """Return the object that uses the cache (a dispatcher, a ufunc's or a gufunc's builder, a callback): it alone knows
    the options of the function, and Numba has made some of these objects before it loads extensions."""
    frame = sys._getframe(1)
    while frame is not None:
        owner = frame.f_locals.get("self")
        if getattr(owner, "_cache", None) is cache or getattr(owner, "cache", None) is cache:
            return owner
        frame = frame.f_back  # type: ignore[assignment]
    return None


def _flags(owner: Any) -> Any:
    """Return the flags with which the owner would compile."""
    maker = getattr(owner, "_compiler", owner)
    own = compiler.Flags()
    maker.targetdescr.options.parse_as_flags(own, maker.targetoptions)
    return flags.of(maker, own)

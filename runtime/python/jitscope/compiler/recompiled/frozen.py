"""Globals and enclosing variables as compiled functions have them: Numba makes constants of them when it compiles. A
debugger reads them by their names here, SYMBOL.NAME (gdbext/jitscope_shared/functions/frozen_names.py)."""

from __future__ import annotations

import weakref
from typing import Any

import numpy

from jitscope.compiler.recompiled import made_of

_LARGEST = 1 << 16  # bytes of an array that is copied; Numba itself copies a contiguous one of up to 10**6 bytes
_MOST = 64  # items of a tuple


def take(function: Any) -> dict[str, Any]:
    """Return the values that Numba would make constants of, by the name in the Python function's source. It calls
    nothing of the program's."""
    return {
        name: numpy.array(value, order="K") if type(value) is numpy.ndarray else value
        for name, value in made_of.read(function)
        if "." not in name and _is_constant(value)
    }


def note(compiled: Any, values: dict[str, Any]) -> None:
    """Keep the values of a CompileResult as long as its code."""
    found = {f"{compiled.fndesc.mangled_name}.{name}": value for name, value in values.items()}
    if found:
        globals().update(found)
        weakref.finalize(compiled.library, _forget, tuple(found)).atexit = False


def _forget(names: tuple[str, ...]) -> None:
    for name in names:
        globals().pop(name, None)


def _is_constant(value: Any) -> bool:
    kind = type(value)
    if kind is numpy.ndarray:
        is_copied = value.flags.c_contiguous or value.flags.f_contiguous
        return bool(is_copied and not value.dtype.hasobject and value.nbytes <= _LARGEST)
    if kind is tuple:
        return len(value) <= _MOST and all(type(each) is not numpy.ndarray and _is_constant(each) for each in value)
    return kind in (bool, int, float, complex, str, bytes) or issubclass(kind, (numpy.number, numpy.bool_))

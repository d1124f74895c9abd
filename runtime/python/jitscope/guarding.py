"""Guarded arrays (JITSCOPE_GUARD, `jitscope run --guard`): memory that ends where a page ends, with no memory after it.

`begin` is called when Numba is imported, so that the arrays that NumPy makes before the first compilation are guarded;
those of compiled code follow in `jitscope.compiler.services.guarding`."""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
from functools import lru_cache

from jitscope import stops as runtime
from jitscope.published import GuardPython

VARIABLE, ALL = "JITSCOPE_GUARD", ("1", "all")
_HANDLER = 306  # PyDataMem_DefaultHandler in _ARRAY_API, from numpy/__multiarray_api.h, 1.22-2.5


def chosen() -> str | None:
    """Return what is guarded: a function, FILE:LINE, or "" for every array; None: nothing is."""
    value = os.environ.get(VARIABLE, "").strip()
    return None if value in ("", "0") else "" if value in ALL else value


@lru_cache(maxsize=1)
def begin() -> bool:
    """Reserve the addresses, and guard NumPy's arrays from now on. Return False, after one line that says why, if
    nothing can be guarded."""
    try:
        library = runtime.library()
    except OSError as error:
        return _refuse(str(error))
    library.jitscope_guard_begin.argtypes = [ctypes.c_char_p, ctypes.POINTER(GuardPython)]
    if library.jitscope_guard_begin((chosen() or "").encode(), ctypes.byref(_python())):
        return _refuse("the system gives no addresses for them")
    if reason := _guard_numpy(library):
        _refuse(f"those of NumPy: {reason}")
    if place := chosen():
        library.jitscope_guard_made.restype = ctypes.c_uint64
        atexit.register(_end, library, place, os.getpid())
    return True


def _end(library: ctypes.CDLL, place: str, process: int) -> None:
    """Report, when the program ends, that the place that was chosen has made no array."""
    if os.getpid() == process and not library.jitscope_guard_made():
        where = f"at {place}" if ":" in place else f"in a function that is called {place}"
        print(f"jitscope: JITSCOPE_GUARD: no array was guarded, as none was made {where}", file=sys.stderr)


def _refuse(reason: str) -> bool:
    print(f"jitscope: arrays are not guarded: {reason}", file=sys.stderr)
    return False


def _python() -> GuardPython:
    """Return the interpreter's functions that find the running line; all 0 if one is missing (before Python 3.9)."""
    names = (
        "PyGILState_Check",
        "PyEval_GetFrame",
        "PyFrame_GetBack",
        "PyFrame_GetLineNumber",
        "PyFrame_GetCode",
        "PyObject_GetAttrString",
        "PyUnicode_AsUTF8",
        "Py_IncRef",
        "Py_DecRef",
    )
    try:
        found = [ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in names]
    except AttributeError:
        return GuardPython()
    return GuardPython(*found)


def _guard_numpy(library: ctypes.CDLL) -> str | None:
    """Return why NumPy's arrays are not guarded, or None."""
    try:
        import numpy

        core = getattr(numpy, "_core", None) or numpy.core
        table = _pointer(core._multiarray_umath._ARRAY_API, None)
        capsule = ctypes.cast(table, ctypes.POINTER(ctypes.POINTER(ctypes.py_object)))[_HANDLER][0]
        handler = _pointer(capsule, b"mem_handler")
    except (ImportError, AttributeError, ValueError) as error:
        return str(error)
    library.jitscope_guard_numpy.argtypes = [ctypes.c_void_p]
    return "its default handler is another one" if library.jitscope_guard_numpy(handler) else None


def _pointer(capsule: object, name: bytes | None) -> int:
    """Return the address in a capsule. Raise ValueError if it has another name."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.argtypes, get.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    return int(get(capsule, name))

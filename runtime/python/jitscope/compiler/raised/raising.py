"""Adds the frames of compiled functions to an exception, when a wrapper raises what compiled code has returned.

This module wraps functions of numba.core.serialize (0.57-0.68) that the wrapper calls for the exception, and has the
wrapper call libjitscope.so in place of PyErr_Clear, which it calls first."""

from __future__ import annotations

import bisect
import ctypes
import functools
import struct
import threading
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core import serialize
from numba.core.cpu import CPUContext

from jitscope import stops
from jitscope.compiler.base import wrappers
from jitscope.compiler.raised import chains, kept, marks, sites, tracebacks
from jitscope.compiler.raised.chains import Chain

_TELL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64)
_METHODS = ("_numba_unpickle", "runtime_build_excinfo_struct")
_PLACE = 16  # bytes of a jitscope_raised_place (runtime/include/jitscope_raised.h)
_MOST = 4096  # raises that are remembered


class _Known(NamedTuple):
    """What is known of a raise."""

    chain: Chain
    frames: list[tuple[Any, int]]


_entries: dict[str, list[weakref.ref[Any]]] = {}  # the libraries of functions, by the symbols of their wrappers
_functions: list[tuple[int, int, str]] = []  # address, end and symbol of each compiled function
# by the address in the wrapper, which Numba never frees, the exception, and the places on the way
_known: dict[Any, _Known | None] = {}
_UNSEEN: Any = object()
_last = threading.local()


def check() -> str | None:
    """Return why frames cannot be added in this Numba, or None."""
    missing = [name for name in _METHODS if not hasattr(serialize, name)]
    if missing:
        return f"numba.core.serialize has no {missing[0]}"
    if not hasattr(CPUContext, "get_executable"):
        return "numba.core.cpu.CPUContext has no get_executable"
    return sites.check() or kept.check()


# -- which function was called


def _library_at(address: int) -> tuple[Any, str] | None:
    """Return the library and the symbol of the function whose wrapper has this code."""
    found = _find_library(address)
    if found is None:
        _list_functions()
        found = _find_library(address)
    return found


def _find_library(address: int) -> tuple[Any, str] | None:
    index = bisect.bisect_right(_functions, (address, 1 << 64, "")) - 1
    if index < 0 or address >= _functions[index][1] or not _functions[index][2].startswith(wrappers.PREFIX):
        return None
    start, _, symbol = _functions[index]
    for each in _entries.get(symbol, ()):
        library = each()
        if library is not None and library.get_pointer_to_function(symbol) == start:
            return library, symbol[len(wrappers.PREFIX) :]
    return None


def _list_functions() -> None:
    found: list[tuple[int, int, str]] = []

    def tell(_: int, name: bytes, address: int, size: int) -> None:
        found.append((address, address + size, name.decode("utf-8", "replace")))

    stops.library().jitscope_registered_functions(2, _TELL(tell), None)
    _functions[:] = sorted(found)


# -- its frames


def _find(address: int, exc: Any, location: Any, places: bytes) -> _Known | None:
    found = _library_at(address)
    if found is None:
        return None
    library, entry = found
    known = sites.of(library)
    pairs = [(ctypes.string_at(at).decode(), line) for at, line in struct.iter_unpack("QQ", places)]
    chain = chains.recorded(known, entry, pairs) or chains.find(known, entry, sites.key_of(exc, location))
    return _Known(chain, tracebacks.frames((*chain.outer, *chain.inner)))


def _places() -> bytes:
    """Take the places that marked code has recorded."""
    count = ctypes.c_uint64()
    at = stops.library().jitscope_raised_places(ctypes.byref(count))
    return ctypes.string_at(at, _PLACE * count.value) if count.value else b""


def _with_frames(address: int, packed: Any) -> Any:
    """Return what numba_do_raise is to raise (numba/_helperlib.c): an instance with a traceback in place of the class,
    its arguments and Numba's location of it."""
    if type(packed) is not tuple or len(packed) != 3:
        return packed
    exc, arguments, location = packed
    if not isinstance(exc, type) or not issubclass(exc, BaseException) or type(arguments) is not tuple:
        return packed
    key = address, exc, location, _places() if marks.are_on() else b""
    known = _known.get(key, _UNSEEN)
    if known is _UNSEEN:
        if len(_known) >= _MOST:
            _known.clear()
        known = _known[key] = _find(*key)
    if known is None or not known.frames:
        return packed
    try:
        instance = exc(*arguments)
    except BaseException:  # Numba calls it once more, and raises this
        return packed
    if not isinstance(instance, BaseException):
        return packed
    instance.__traceback__ = tracebacks.of(known.frames)
    _last.raised = type(instance), known.chain
    return instance, None, None


def last() -> tuple[type[BaseException], Chain] | None:
    """Return what compiled code has last raised in this thread, or None."""
    return getattr(_last, "raised", None)


def install() -> None:
    """Wrap Numba's functions, once for each process, after check()."""
    library = stops.library()
    library.jitscope_raised_begin.argtypes = [ctypes.c_void_p]
    library.jitscope_raised_begin.restype = ctypes.c_void_p
    library.jitscope_raised_places.argtypes = [ctypes.c_void_p]
    library.jitscope_raised_places.restype = ctypes.c_void_p
    take = library.jitscope_raised_take
    take.argtypes = []
    take.restype = ctypes.c_uint64
    clear = ctypes.cast(ctypes.pythonapi.PyErr_Clear, ctypes.c_void_p)
    llvm.add_symbol("PyErr_Clear", library.jitscope_raised_begin(clear))
    for name in _METHODS:
        setattr(serialize, name, _wrapped(getattr(serialize, name), take))
    sites.install()
    marks.install()
    get_executable = CPUContext.get_executable

    @functools.wraps(get_executable)
    def remember(self: Any, its: Any, fndesc: Any, env: Any) -> Any:
        same = _entries.setdefault(fndesc.llvm_cpython_wrapper_name, [])
        same[:] = [each for each in same if each() is not None]
        same.append(weakref.ref(its))
        return get_executable(self, its, fndesc, env)

    CPUContext.get_executable = remember


def _wrapped(original: Any, take: Callable[[], int]) -> Any:
    @functools.wraps(original)
    def wrapped(*arguments: Any) -> Any:
        packed = original(*arguments)
        address = take()
        if not address:
            return packed
        try:
            return _with_frames(address, packed)
        except Exception:  # raised by a class of the program's; it must not replace the exception
            return packed

    return wrapped

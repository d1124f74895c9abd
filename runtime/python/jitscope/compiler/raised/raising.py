"""Adds the frames of compiled functions to an exception, when a wrapper raises what compiled code has returned.

This module wraps functions of numba.core.serialize (0.57-0.68) that the wrapper calls for the exception, and has the
wrapper call libjitscope.so in place of PyErr_Clear, which it calls first."""

from __future__ import annotations

import bisect
import ctypes
import functools
import struct
import weakref
from typing import Any

import llvmlite.binding as llvm
from numba.core import serialize
from numba.core.cpu import CPUContext

from jitscope import stops
from jitscope.compiler.base import wrappers
from jitscope.compiler.raised import chains, kept, marks, sites, tracebacks
from jitscope.compiler.raised.chains import Chain

_STACK, _PLACES = 8192, 2048  # JITSCOPE_RAISED_STACK, JITSCOPE_RAISED_PLACES of runtime/include/jitscope.h
_TELL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64)


class _Raised(ctypes.Structure):
    """jitscope_raised of runtime/include/jitscope.h."""

    _fields_ = (
        ("code", ctypes.c_uint64),
        ("top", ctypes.c_uint64),
        ("count", ctypes.c_uint64),
        ("places", ctypes.c_uint64 * (2 * _PLACES)),
        ("stack", ctypes.c_ubyte * _STACK),
    )


_entries: dict[str, list[weakref.ref[Any]]] = {}  # the libraries of functions, by the symbols of their wrappers
_functions: list[tuple[int, int, str]] = []  # address, end and symbol of each compiled function
_chains: dict[Any, Chain | None] = {}  # by the address in the wrapper and the exception


def check() -> str | None:
    """Return why frames cannot be added in this Numba, or None."""
    for name in ("_numba_unpickle", "runtime_build_excinfo_struct"):
        if not hasattr(serialize, name):
            return f"numba.core.serialize has no {name}"
    if not hasattr(CPUContext, "get_executable"):
        return "numba.core.cpu.CPUContext has no get_executable"
    return sites.check() or kept.check()


def _library_at(address: int) -> tuple[Any, str] | None:
    """Return the library and the symbol of the function whose wrapper has this code."""
    found = _function_at(address)
    if found is None:
        _functions[:] = _list_functions()
        found = _function_at(address)
    if found is None or not found[1].startswith(wrappers.PREFIX):
        return None
    start, symbol = found
    for each in _entries.get(symbol, ()):
        library = each()
        if library is not None and library.get_pointer_to_function(symbol) == start:
            return library, symbol[len(wrappers.PREFIX) :]
    return None


def _function_at(address: int) -> tuple[int, str] | None:
    index = bisect.bisect_right(_functions, (address, 1 << 64, "")) - 1
    if index < 0 or address >= _functions[index][1]:
        return None
    return _functions[index][0], _functions[index][2]


def _list_functions() -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []

    def tell(_: int, name: bytes, address: int, size: int) -> None:
        found.append((address, address + size, name.decode("utf-8", "replace")))

    stops.library().jitscope_registered_functions(2, _TELL(tell), None)
    return sorted(found)


def _recorded_places(raised: _Raised) -> bytes:
    """Take the places that marked code has recorded."""
    count, raised.count = raised.count, 0
    return ctypes.string_at(ctypes.addressof(raised) + _Raised.places.offset, 16 * count) if count <= _PLACES else b""


def _chain(address: int, exc: Any, location: Any, places: bytes) -> Chain | None:
    found = _library_at(address)
    if found is None:
        return None
    library, entry = found
    known = sites.of(library)
    pairs = [(ctypes.string_at(at).decode(), line) for at, line in struct.iter_unpack("QQ", places)]
    return chains.recorded(known, entry, pairs) or chains.find(known, entry, sites.key_of(exc, location))


def _with_frames(raised: Any, packed: Any) -> Any:
    """Return what numba_do_raise is to raise (numba/_helperlib.c): an instance with a traceback in place of the class,
    its arguments and the place."""
    last = raised.contents if raised else None
    if last is None or not last.code:
        return packed
    address, places = last.code, _recorded_places(last)
    last.code = 0
    if type(packed) is not tuple or len(packed) != 3:
        return packed
    exc, arguments, location = packed
    if not isinstance(exc, type) or not issubclass(exc, BaseException) or type(arguments) is not tuple:
        return packed
    key = address, exc, location, places
    if key not in _chains:
        _chains[key] = _chain(*key)
    chain = _chains[key]
    if chain is None or not (chain.outer or chain.inner):
        return packed
    try:
        instance = exc(*arguments)
    except BaseException:  # Numba calls it once more, and raises this
        return packed
    if not isinstance(instance, BaseException):
        return packed
    instance.__traceback__ = tracebacks.of((*chain.outer, *chain.inner))
    return instance, None, None


def install() -> None:
    """Wrap Numba's functions, once for each process, after check()."""
    library = stops.library()
    library.jitscope_raised_begin.argtypes = [ctypes.c_void_p]
    library.jitscope_raised_begin.restype = ctypes.c_void_p
    last = library.jitscope_raised_last
    last.argtypes = []
    last.restype = ctypes.POINTER(_Raised)
    clear = ctypes.cast(ctypes.pythonapi.PyErr_Clear, ctypes.c_void_p)
    llvm.add_symbol("PyErr_Clear", library.jitscope_raised_begin(clear))
    for name in ("_numba_unpickle", "runtime_build_excinfo_struct"):
        original = getattr(serialize, name)

        @functools.wraps(original)
        def wrapped(*arguments: Any, _original: Any = original) -> Any:
            return _with_frames(last(), _original(*arguments))

        setattr(serialize, name, wrapped)
    sites.install()
    marks.install()
    kept.install()
    get_executable = CPUContext.get_executable

    @functools.wraps(get_executable)
    def remember(self: Any, its: Any, fndesc: Any, env: Any) -> Any:
        _entries.setdefault(fndesc.llvm_cpython_wrapper_name, []).append(weakref.ref(its))
        return get_executable(self, its, fndesc, env)

    CPUContext.get_executable = remember

"""Adds the frames of compiled functions to an exception, when a wrapper raises what compiled code has returned.

This module wraps functions of numba.core.serialize (0.57-0.68) that the wrapper calls for the exception, and has the
wrapper call libjitscope.so in place of PyErr_Clear, which it calls first, and of PyArg_UnpackTuple, by which it gets
its arguments."""

from __future__ import annotations

import ctypes
import functools
import struct
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core import serialize
from numba.core.codegen import JITCodeLibrary
from numba.core.runtime import nrtdynmod

from jitscope import stops
from jitscope.compiler.base import cached_text, wrappers
from jitscope.compiler.base.wrapped import wrap
from jitscope.compiler.raised import calls, chains, constants, marks, returned_calls, sites, tracebacks
from jitscope.compiler.raised.calls import Call
from jitscope.compiler.raised.chains import Chain
from jitscope.compiler.raised.returned_calls import ReturnedCalls
from jitscope.compiler.raised.sites import Sites
from jitscope.compiler.slots import kept_values

_NAME = 1 << 16  # bytes of the longest symbol that is read
_METHODS = ("_numba_unpickle", "runtime_build_excinfo_struct")
_PLACE = struct.Struct("4Q")  # a jitscope_raised_place (runtime/include/jitscope_raised.h)
_FREE = "NRT_MemInfo_call_dtor"  # numba/core/runtime/nrtdynmod.py, _define_nrt_decref (0.57-0.68)
_MOST = 4096  # raises that are remembered


_Copied = tuple[tuple[kept_values.Kept, ...], int, int]  # variables of a frame, and offset and size of their copy


class Last(NamedTuple):
    """What compiled code has last raised in a thread. `copies`: of the variables of the chain's frames, from the first
    on; they refer to `variables`."""

    exc: type[BaseException]
    chain: Chain
    copies: list[_Copied | None]
    variables: bytes


class _Known(NamedTuple):
    """What is known of a raise. `exc`: its class, which is kept so that no other class gets its address. `copies`: as
    in Last. `returned`, `call`: what says more, by the calls that have returned, and by the arguments.
    `is_outdated`: the file in which Numba says that it was raised has other contents by now."""

    exc: type[BaseException]
    chain: Chain | None
    frames: list[tuple[Any, int]]
    copies: list[_Copied | None] = []
    returned: ReturnedCalls | None = None
    call: Call | None = None
    is_outdated: bool = False


_entries: dict[str, list[weakref.ref[Any]]] = {}  # the libraries of functions, by the symbols of their wrappers
# by the address in the wrapper, which Numba never frees, the exception, the address of the constant that describes it,
# the places on the way, the return addresses of calls, and the arguments; the class's own __hash__ and __eq__ are not
# asked
_Key = tuple[Any, ...]
_known: dict[_Key, _Known] = {}
_traceback: Any = vars(BaseException)["__traceback__"]  # sets it past what a class of the program's defines
_last = threading.local()


def check() -> str | None:
    """Return why frames cannot be added in this Numba, or None."""
    missing = [name for name in _METHODS if not hasattr(serialize, name)]
    if missing:
        return f"numba.core.serialize has no {missing[0]}"
    if not hasattr(JITCodeLibrary, "get_pointer_to_function"):
        return "numba.core.codegen.JITCodeLibrary has no get_pointer_to_function"
    if not hasattr(nrtdynmod, "compile_nrt_functions"):
        return "numba.core.runtime.nrtdynmod has no compile_nrt_functions"
    return sites.check() or cached_text.check()


# -- which function was called


@functools.lru_cache(maxsize=1)
def _function_at() -> Any:
    """Return jitscope_raised_function, called with the GIL, so that no two threads are in it. It calls no Python:
    ctypes would print and drop what the handler of a signal raises there."""
    arguments = ctypes.c_uint64, ctypes.c_size_t, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64)
    return ctypes.PYFUNCTYPE(ctypes.c_int, *arguments)(("jitscope_raised_function", stops.library()))


def _library_at(address: int) -> tuple[Any, str] | None:
    """Return the library and the symbol of the function whose wrapper has this code."""
    name, start = ctypes.create_string_buffer(_NAME), ctypes.c_uint64()
    status = _function_at()(address, _NAME, name, ctypes.byref(start))
    if status < 0:
        raise OSError("the registered code cannot be read now")
    symbol = name.value.decode("utf-8", "replace")
    entry = wrappers.function_of(symbol) if status else None
    if entry is None:
        return None
    wrapping = [library for each in _entries.get(symbol, ()) if (library := each()) is not None]
    for library in (*wrapping, *sites.libraries()):
        if entry in sites.of(library) and library.get_pointer_to_function(symbol) == start.value:
            return library, entry
    return None


@functools.lru_cache(maxsize=1)
def _constant_of() -> Any:
    """Return jitscope_raised_constant; see _function_at()."""
    arguments = ctypes.c_uint64, ctypes.c_size_t, ctypes.c_char_p
    return ctypes.PYFUNCTYPE(ctypes.c_int, *arguments)(("jitscope_raised_constant", stops.library()))


def _constant_at(address: int) -> str:
    """Return the symbol of the constant that describes an exception; "" if it is not known."""
    name = ctypes.create_string_buffer(_NAME)
    status = _constant_of()(address, _NAME, name)
    return constants.symbol_of(name.value.decode("utf-8", "replace")) if status > 0 else ""


# -- its frames


def _find(address: int, exc: type[BaseException], location: Any, constant: int, places: bytes) -> _Known:
    found = _library_at(address)
    if found is None:
        return _Known(exc, None, [])
    library, entry = found
    known = sites.of(library)
    recorded = list(_PLACE.iter_unpack(places))
    pairs = [(ctypes.string_at(symbol).decode(), place) for symbol, place, _, _ in recorded]
    key = sites.key_of(exc, location, "")
    chain = chains.recorded(known, entry, key, pairs)
    returned = call = None
    if chain is None:
        chain = chains.find(known, entry, key)
        if chain.reason and constant and (name := _constant_at(constant)):
            key = sites.key_of(exc, location, name)
            chain = chains.find(known, entry, key)
        if chain.reason:
            returned = returned_calls.of(known, entry, key, constant, address, library.get_pointer_to_function)
            call = calls.of(known, entry, key, address)
    copies = []
    for number in chain.recorded:
        copied = None if number is None else (known[pairs[number][0]].variables, *recorded[number][2:])
        copies.append(copied if copied and copied[0] and copied[2] else None)
    return _Known(
        exc,
        chain,
        tracebacks.frames((*chain.outer, *chain.inner)),
        copies,
        returned,
        call,
        _is_outdated(known, location),
    )


def _is_outdated(known: dict[str, Sites], location: Any) -> bool:
    """True if functions of the file of Numba's location have no lines, because they come from the cache, and the file
    was written to since."""
    functions = [its.function for its in known.values() if its.function is not None]
    return location is not None and any(each.file == location[1] and not each.lines for each in functions)


def _with_calls(key: _Key, known: _Known, returned: ReturnedCalls) -> tuple[_Key, _Known]:
    """Return what is known of a raise with the calls that have returned the exception, and its key."""
    words = returned_calls.words()
    addresses = returned.addresses(words) if words else ()
    key = *key, addresses
    found = _known.get(key)
    if found is None:
        chain = returned.chain(addresses) if addresses else None
        more = chain is not None and (not chain.reason or len(chain.outer) + len(chain.inner) > len(known.frames))
        found = _known[key] = _with_chain(known, chain) if chain is not None and more else known
    return key, found


def _with_arguments(key: _Key, known: _Known, call: Call) -> _Known:
    """Return what is known of a raise with the arguments of the call."""
    passed = call.arguments()
    key = *key, tuple((type(each), each) for each in passed)
    found = _known.get(key)
    if found is None and known.chain is not None:
        chain = call.chain(passed, known.chain)
        found = _with_chain(known, chain) if chain is not None else known
        if len(_known) < _MOST:
            _known[key] = found
    return found or known


def _with_chain(known: _Known, chain: Chain) -> _Known:
    return known._replace(chain=chain, frames=tracebacks.frames((*chain.outer, *chain.inner)))


def _places() -> tuple[bytes, bytes]:
    """Take the places that marked code has recorded, and the copies of variables to which they refer."""
    count, at, size = ctypes.c_uint64(), ctypes.c_void_p(), ctypes.c_uint64()
    first = stops.library().jitscope_raised_places(ctypes.byref(count), ctypes.byref(at), ctypes.byref(size))
    if not count.value:
        return b"", b""
    return ctypes.string_at(first, _PLACE.size * count.value), ctypes.string_at(at.value or 0, size.value)


def _is_description(packed: Any) -> bool:
    """True if it describes an exception. A constant string among its arguments is unpickled before."""
    if type(packed) is not tuple or len(packed) != 3 or type(packed[1]) is not tuple:
        return False
    return isinstance(packed[0], type) and issubclass(packed[0], BaseException)


def _with_frames(address: int, packed: Any, constant: int) -> Any:
    """Return what numba_do_raise is to raise (numba/_helperlib.c): an instance with a traceback in place of the class,
    its arguments and Numba's location of it."""
    exc, arguments, location = packed
    places, variables = _places() if marks.are_used() else (b"", b"")
    key: _Key = (address, id(exc), location, constant, places)
    known = _known.get((*key, ()))
    if known is None:
        if len(_known) >= _MOST:
            _known.clear()
        known = _known[(*key, ())] = _find(address, exc, location, constant, places)
    if known.returned is not None:
        key, known = _with_calls(key, known, known.returned)
    if known.call is not None and known.chain is not None and known.chain.reason is not None:
        known = _with_arguments(key, known, known.call)
    if known.chain is not None:
        _last.raised = Last(exc, known.chain, known.copies, variables)
    if known.chain is None or not known.frames:
        return packed
    if known.chain.reason is not None and not known.chain.inner and not known.is_outdated:
        return packed  # it is not known where this was raised, except to Numba, whose entry says it
    handled = sys.exc_info()[1]
    try:
        instance = exc(*arguments)
    except RecursionError:  # Numba calls it at less depth
        return packed
    except BaseException as error:
        if handled is not None and error.__context__ is not handled:
            return packed  # Numba calls it once more, because it would set another context
        # without this function's entry. The class is not called again: a signal's handler may have raised this
        _traceback.__set__(error, _traceback.__get__(error).tb_next)
        return error, None, location
    if not any(each is exc for each in type(instance).__mro__):
        return packed  # Numba makes something else of it
    _traceback.__set__(instance, tracebacks.of(known.frames))
    _last.raised = Last(type(instance), known.chain, known.copies, variables)
    return instance, None, None


def _is_own(error: Exception) -> bool:
    """Return whether jitscope has raised the error, and not the handler of a signal or another thread."""
    if isinstance(error, (MemoryError, RecursionError)):
        return True
    entry = error.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    name = entry.tb_frame.f_globals.get("__name__", "") if entry is not None else ""
    return type(error).__module__ == "builtins" and name.startswith("jitscope.")


def last() -> Last | None:
    """Return what compiled code has last raised in this thread, or None."""
    return getattr(_last, "raised", None)


def read(copied: _Copied, variables: bytes) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values in a copy of a frame's variables, and labels for those that have none."""
    kept, offset, size = copied
    return kept_values.read(kept, variables[offset : offset + size])


def _remember(original: Any, self: Any, name: str) -> Any:
    if wrappers.function_of(name) is not None:
        known = [each for each in _entries.get(name, ()) if each() is not None]
        if all(each() is not self for each in known):
            _entries[name] = [*known, weakref.ref(self)]
    return original(self, name)


def _keep_words(original: Any, context: Any) -> Any:
    """Have the compiled code that frees memory call libjitscope.so, so that this leaves the words on the stack that
    returned_calls.py reads. Called when Numba compiles this code, once for each process."""
    address = llvm.address_of_symbol(_FREE)
    if address:
        llvm.add_symbol(_FREE, stops.library().jitscope_raised_free(address))
    return original(context)


def install() -> None:
    """Wrap Numba's functions, once for each process, after check()."""
    library = stops.library()
    library.jitscope_raised_begin.argtypes = [ctypes.c_void_p]
    library.jitscope_raised_begin.restype = ctypes.c_void_p
    library.jitscope_raised_places.argtypes = [ctypes.c_void_p] * 3
    library.jitscope_raised_places.restype = ctypes.c_void_p
    take = library.jitscope_raised_take
    take.argtypes = []
    take.restype = ctypes.c_uint64
    clear = ctypes.cast(ctypes.pythonapi.PyErr_Clear, ctypes.c_void_p)
    llvm.add_symbol("PyErr_Clear", library.jitscope_raised_begin(clear))
    library.jitscope_raised_unpack.argtypes = [ctypes.c_void_p]
    library.jitscope_raised_unpack.restype = ctypes.c_void_p
    unpack = ctypes.cast(ctypes.pythonapi.PyArg_UnpackTuple, ctypes.c_void_p)
    llvm.add_symbol("PyArg_UnpackTuple", library.jitscope_raised_unpack(unpack))
    library.jitscope_raised_free.argtypes = [ctypes.c_void_p]
    library.jitscope_raised_free.restype = ctypes.c_void_p
    wrap(nrtdynmod, "compile_nrt_functions", _keep_words)
    for name in _METHODS:
        setattr(serialize, name, _wrapped(getattr(serialize, name), take, name == _METHODS[0]))
    sites.install()
    marks.install()
    wrap(JITCodeLibrary, "get_pointer_to_function", _remember)


def _wrapped(original: Any, take: Callable[[], int], is_static: bool) -> Any:
    @functools.wraps(original)
    def wrapped(*arguments: Any) -> Any:
        packed = original(*arguments)
        address = take() if _is_description(packed) else 0
        if not address:
            return packed
        try:
            return _with_frames(address, packed, arguments[0] if is_static else 0)
        except Exception as error:
            if not _is_own(error):
                raise
            return packed  # the program's exception is not replaced

    return wrapped

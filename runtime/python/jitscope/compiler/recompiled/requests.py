"""A debugger's requests to compile functions anew, served where Python calls a compiled function: there Numba itself
compiles, the arguments are still Python's, and the thread holds Python's lock."""

from __future__ import annotations

import _thread
import contextlib
import ctypes
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

from numba import _dispatcher
from numba.core import compiler_lock
from numba.core.registry import CPUDispatcher

from jitscope import stops
from jitscope.compiler.base import wanted
from jitscope.compiler.recompiled import dispatchers as versions
from jitscope.published import ASKED, COMPILED, FREE, NEW, REFUSED, TRAPS, WITHDRAWN, Recompilation, Wanted

# Offset of tp_call in CPython's PyTypeObject (cpython/Include/cpython/object.h, 3.9-3.14).
_CALL = 128
# Offset of d_wrapped in CPython's PyWrapperDescrObject (cpython/Include/cpython/descrobject.h, 3.9-3.14).
_WRAPPED = 48
# Calls of Python functions that the compiler needs below the one that it serves.
_DEPTH = 500
_serving: list[bool] = []  # not empty while requests are served
_refused: set[str] = set()  # why functions did not get traps, as was reported
_refused_callers: dict[int, list[str]] = {}  # by an entry's index: why callers are not compiled anew, as was reported
_table: Recompilation | None = None
_callback: Any = None  # keeps the function that libjitscope.so calls


def check() -> str | None:
    """Return why calls of compiled functions cannot be led through libjitscope.so, or None."""
    if reason := versions.check():
        return reason
    slot = ctypes.c_void_p.from_address(id(CPUDispatcher) + _CALL).value
    wrapped = ctypes.c_void_p.from_address(id(_dispatcher.Dispatcher.__call__) + _WRAPPED).value
    if "__call__" in vars(CPUDispatcher) or slot != wrapped:
        return "Python does not call numba.core.registry.CPUDispatcher as expected"
    return None


def install() -> None:
    """Offer to compile functions anew, once for each process, after check()."""
    global _table, _callback
    versions.install()
    _callback = ctypes.PYFUNCTYPE(None, ctypes.py_object)(_serve)
    _table = wanted.begin(id(CPUDispatcher) + _CALL, _callback)
    os.register_at_fork(before=_wait)


def _serve(dispatcher: Any) -> None:
    """Do what is asked for, before the dispatcher is called. The caller is C code of Python's: no error leaves this."""
    assert _table is not None
    lock = compiler_lock.global_compiler_lock._lock
    # while it is compiling, or has called itself nearly as often as it may, the next call is another chance
    if lock._is_owned() or not _may_go_deeper() or not lock.acquire(blocking=False):
        stops.library().jitscope_recompilation_changed()
        return
    _serving.append(True)
    try:
        with _untraced():
            _look(_table, dispatcher)
    except KeyboardInterrupt:
        _thread.interrupt_main()
    except Exception:
        stops.library().jitscope_recompilation_end()
    finally:
        _serving.clear()
        lock.release()


def _may_go_deeper() -> bool:
    """True if the calls below this one leave room for those of the compiler."""
    frame, left = sys._getframe(), sys.getrecursionlimit() - _DEPTH
    while frame.f_back is not None and left > 0:
        frame, left = frame.f_back, left - 1
    return left > 0


@contextlib.contextmanager
def _untraced() -> Iterator[None]:
    """Switch the program's tracers off in this thread where libjitscope.so cannot (serving.c): before Python 3.11."""
    if sys.version_info >= (3, 11):
        yield
        return
    tracer, profiler = sys.gettrace(), sys.getprofile()
    sys.settrace(None)
    if callable(profiler):
        sys.setprofile(None)
    try:
        yield
    finally:
        sys.settrace(tracer)
        if callable(profiler):
            sys.setprofile(profiler)


def _wait(seconds: float = 60.0) -> None:
    """Wait before the process is forked until no other thread is serving: the child would keep the compiler's locks."""
    lock = compiler_lock.global_compiler_lock._lock
    end = time.monotonic() + seconds
    while _serving and not lock._is_owned() and time.monotonic() < end:
        time.sleep(0.01)


def _look(table: Recompilation, dispatcher: Any) -> None:
    is_new, table.seen = table.asked != table.seen, table.asked
    if not stops.is_debugged():
        for _, entry in wanted.entries(ASKED, COMPILED, REFUSED):
            entry.state = WITHDRAWN
    _withdraw()
    if is_new:
        for index, _ in wanted.entries(ASKED):
            versions.withdraw(index)  # what an older request in the same place had compiled before it was refused
        _refuse_unreachable()
    for index, entry in wanted.entries(ASKED, COMPILED):
        _compile(dispatcher, index, entry)
    if next(wanted.entries(ASKED, COMPILED), None) is None:
        stops.library().jitscope_recompilation_end()


def _refuse_unreachable() -> None:
    """Refuse what Python does not call through a dispatcher: a ufunc, a callback whose address was given away, or a
    function that was cached as a part of its caller, and whose own dispatcher has no code."""
    what = "a ufunc, a callback, or code from Numba's cache" if versions.is_any_cached() else "a ufunc or a callback"
    for index, entry in wanted.entries(ASKED):
        if not entry.flags & NEW and not versions.is_any_about(entry):
            place = f"{os.path.basename(os.fsdecode(entry.file))}:{entry.line}"
            _answer(index, entry, REFUSED, f"{place} is in {what}, which stays as it is")


def _compile(dispatcher: Any, index: int, entry: Wanted) -> None:
    begin = time.monotonic()
    try:
        found = versions.affected(dispatcher, index, entry)
        if not found:
            if entry.state == ASKED and (done := versions.compiled_for(dispatcher, entry)):
                _answer(index, entry, COMPILED, done)  # another request is about the same functions
            return
        versions.compile_anew(found, index, entry)
    except versions.Refused as error:
        _refuse(index, entry, error)
        return
    except Exception as error:  # the other requests are still served, and this one withdrawn
        name = dispatcher.py_func.__qualname__
        _answer(index, entry, REFUSED, f"{name} cannot be compiled anew: {type(error).__name__}: {error}")
        return
    except KeyboardInterrupt:
        _answer(index, entry, REFUSED, f"{dispatcher.py_func.__qualname__} was interrupted")
        raise
    names = ", ".join(dict.fromkeys(each.name for each in found))
    but = "".join(f", but {why}" for why in _refused_of(index, entry))
    _answer(index, entry, COMPILED, f"{names} ({time.monotonic() - begin:.1f} s){but}")


def _refuse(index: int, entry: Wanted, error: versions.Refused) -> None:
    said, why = os.fsdecode(entry.text), str(error)
    if entry.flags & TRAPS and not entry.file:  # it is about other functions, too
        if why not in _refused:
            _refused.add(why)
            _answer(index, entry, REFUSED, why)
            entry.state = COMPILED
    elif entry.state != COMPILED and not error.is_caller:
        _answer(index, entry, REFUSED, why)
    elif why not in (known := _refused_of(index, entry)):
        known.append(why)
        _answer(index, entry, entry.state, f"{said}, but {why}" if entry.state == COMPILED else "; ".join(known))


def _refused_of(index: int, entry: Wanted) -> list[str]:
    """Return why callers of what the entry is about were refused, as was reported."""
    if not entry.text:
        _refused_callers.pop(index, None)  # the debugger has written a new entry
    return _refused_callers.setdefault(index, [])


def _answer(index: int, entry: Wanted, state: int, text: str) -> None:
    entry.text = text.encode()[: ctypes.sizeof(entry) - Wanted.text.offset - 1]
    entry.state = state
    stops.library().jitscope_recompilation_answer(index)


def _withdraw() -> None:
    for index, entry in wanted.entries(WITHDRAWN):
        versions.withdraw(index)
        entry.state = FREE

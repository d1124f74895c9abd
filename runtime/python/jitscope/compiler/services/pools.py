"""Numba's threading layers through libjitscope.so: launches go through jitscope_pool_run, which records what each
thread runs, and runs it in another order if `jitscope.schedule` says so.

Numba makes the layer's functions known to LLVM when it starts the threads (numba/np/ufunc/parallel.py, _launch_threads
and _load_threading_functions, 0.57-0.68), before any code that calls them is compiled or comes from a cache. This
module makes them known once more, by the same names."""

from __future__ import annotations

import ctypes
import dis
import functools
import importlib
from typing import Any

import llvmlite.binding as llvm
from numba.np.ufunc import parallel

from jitscope import stops as runtime

_RUN, _THREAD_ID = "numba_parallel_for", "get_thread_id"
_LAYERS = {"workqueue": "workqueue", "omp": "omppool", "tbb": "tbbpool"}
_LEFT = {"omppool": 0, "workqueue": 1, "tbbpool": 2}  # JITSCOPE_LEFT_TO_… of runtime/include/jitscope.h

_why_not: str | None = None


def why_not() -> str | None:
    """Return why parallel loops do not go through libjitscope.so, or None."""
    return _why_not


def check() -> str | None:
    """Return why the threading layer cannot be wrapped in this Numba, or None."""
    for name in ("_launch_threads", "_load_threading_functions", "build_gufunc_kernel", "_is_initialized"):
        if not hasattr(parallel, name):
            return f"numba.np.ufunc.parallel has no {name}"
    # parallel_for(fn, args, dims, steps, data: pointers; inner_ndim, array_count, num_threads: integers)
    said = [
        each.argval
        for each in dis.get_instructions(parallel.build_gufunc_kernel)
        if each.opname in ("LOAD_CONST", "LOAD_SMALL_INT") and each.argval in (_RUN, 5, 3)
    ]
    if said[:3] != [5, 3, _RUN]:
        return f"numba.np.ufunc.parallel.build_gufunc_kernel calls {_RUN} otherwise"
    return None


def leave() -> None:
    """Note that parallel loops do not go through libjitscope.so: a debugger that gathers workers would wait for
    ever."""
    _set(None, None, 0)


def install() -> None:
    """Wrap the threading layer, once for each process. Raise OSError without libjitscope.so."""
    global _why_not
    if reason := check():
        import warnings

        _why_not = reason
        leave()
        warnings.warn(f"jitscope does not record what parallel loops run: {reason}", stacklevel=2)
        return
    original = parallel._load_threading_functions

    @functools.wraps(original)
    def load(layer: Any) -> None:
        original(layer)
        _intercept(layer)

    parallel._load_threading_functions = load
    if parallel._is_initialized:
        module = _LAYERS.get(parallel.threading_layer(), "")
        _intercept(importlib.import_module(f"numba.np.ufunc.{module}"))


def _intercept(layer: Any) -> None:
    library = runtime.library()
    _set(layer.parallel_for, layer.get_thread_id, _LEFT.get(layer.__name__.rpartition(".")[2], 2))
    for name, function in ((_RUN, library.jitscope_pool_run), (_THREAD_ID, library.jitscope_pool_thread_id)):
        llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
    parallel._get_thread_id = ctypes.CFUNCTYPE(ctypes.c_int)(("jitscope_pool_thread_id", library))


def _set(parallel_for: int | None, thread_id: int | None, left: int) -> None:
    library = runtime.library()
    library.jitscope_pool_set.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]
    library.jitscope_pool_set.restype = None
    library.jitscope_pool_set(parallel_for, thread_id, left)

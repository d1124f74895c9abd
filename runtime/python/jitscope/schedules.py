"""The order in which the threads of a parallel loop run."""

from __future__ import annotations

import ctypes
import os
import sys
from types import TracebackType

from jitscope import compiler, stops

# from runtime/include/jitscope.h
ORDERS = {"parallel": 0, "dealt": 1, "serial": 2, "reverse": 3, "shuffle": 4}
_current: tuple[str, int] = ("parallel", 0)


class schedule:
    """Choose the order in which the shares of a parallel loop run, in the whole process.

    The order is set when the object is made. At the end of a `with` block it is as it was before.

    Which iterations are a share, and their order in it, stay as they are, and so do the numbers of the threads
    (`numba.get_thread_id()`): what is summed up thread by thread is the same to the bit in all orders.

    Args:
        order: `"serial"`: one thread's share after the other, in the thread that called. `"reverse"`: as serial, the
            last share first. `"shuffle"`: as serial, in another order each time, which follows from `seed`.
            `"parallel"`: at once, as the threading layer does it. `"dealt"`: at once, but each share by one thread
            and with that thread's number, also on layers that steal (tbb).
        seed: a number for `"shuffle"`, which counts modulo 2**64. Other orders do not use it.

    Raises:
        ValueError: there is no such order.
        RuntimeError: parallel loops of this process do not run by way of jitscope (`JITSCOPE=0`, for example).
        OSError: `libjitscope.so` cannot be loaded.

    Example::

        import numpy as np
        from numba import njit, prange
        import jitscope

        @njit(parallel=True)
        def fill(a):
            for i in prange(a.size):
                a[i] = i

        with jitscope.schedule("shuffle", seed=7):
            fill(np.zeros(1000))
    """

    def __init__(self, order: str, *, seed: int = 0) -> None:
        if order not in ORDERS:
            raise ValueError(f"schedule() takes {', '.join(map(repr, ORDERS))}, not {order!r}")
        if reason := why_not():
            raise RuntimeError(f"jitscope.schedule() does nothing here: {reason}")
        self._before = _current
        _set(order, seed)

    def __enter__(self) -> schedule:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _set(*self._before)


def _set(order: str, seed: int) -> None:
    global _current
    stops.library().jitscope_pool_order(ctypes.c_uint32(ORDERS[order]), ctypes.c_uint64(seed))
    _current = order, seed


def why_not() -> str | None:
    """Return why parallel loops do not go through libjitscope.so, or None."""
    if os.environ.get("JITSCOPE") == "0":
        return "JITSCOPE=0 is in the environment"
    if "numba.np.ufunc.parallel" not in sys.modules:
        return None  # the threads are still to be started
    from jitscope.compiler.services import pools  # it imports Numba, which `import jitscope` must not

    compiler.init()  # Numba calls it before it compiles, but may have started its threads already
    return pools.why_not()

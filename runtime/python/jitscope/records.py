"""Records of the elements that each worker of a parallel loop reads and writes, for a debugger that looks later, also
in a core."""

from __future__ import annotations

import ctypes
from types import TracebackType

from jitscope import stops


class record_writes:
    """Record which worker of a parallel loop reads and writes which elements of the loop's arrays.

    The recording is switched when the object is made. At the end of a `with` block it is as it was before. Functions
    at level `steps` (`JITSCOPE_LEVEL=steps`, `@jitscope.steps`) record; others do not. `jit region -writes` in GDB
    shows the records, also those in a core. `JITSCOPE_RECORD=1` in the environment starts the recording with the
    program. The results of the loops are the same to the bit; the loops run at the speed of `steps` with a debugger,
    or slower.

    Args:
        on: False ends the recording.

    Raises:
        OSError: `libjitscope.so` cannot be loaded.

    Example::

        import numpy as np
        from numba import njit, prange
        import jitscope

        @jitscope.steps
        @njit(debug=True, parallel=True)
        def fill(a):
            for i in prange(a.size):
                a[i] = i

        with jitscope.record_writes():
            fill(np.zeros(1000))
            jitscope.breakpoint()  # in GDB: jit region -writes
    """

    def __init__(self, on: bool = True) -> None:
        self._before = _switch(on)

    def __enter__(self) -> record_writes:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _switch(self._before)


def word() -> int:
    """Return the address of the uint32 that says whether the process records (runtime/inferior/workers/records.c)."""
    library = stops.library()
    library.jitscope_recording.restype = ctypes.c_void_p
    return int(library.jitscope_recording())


def _switch(on: bool) -> bool:
    recorded = ctypes.c_uint32.from_address(word())
    before, recorded.value = bool(recorded.value), on
    return before

"""Records of the elements that each worker of a parallel loop reads and writes, for a debugger that looks later, also
in a core."""

from __future__ import annotations

import ctypes
from types import TracebackType

from jitscope import stops


class record_writes:
    """From now on, or within `with`, parallel loops record which worker reads and writes which elements of their
    arrays, as far as their functions are at `steps` (JITSCOPE_LEVEL=steps, @jitscope.steps). In GDB
    `jit region -writes` shows it, also in a core. JITSCOPE_RECORD=1 does the same from the start.

    on: False ends it. What comes out of the loops is the same to the bit; they run at the speed of `steps` with a
    debugger, and slower."""

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

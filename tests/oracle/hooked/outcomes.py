"""Results of calls of compiled code, to the bit, and the memory that they leave; this needs NUMBA_NRT_STATS=1.

outcomes.py FILE…: prints a line for each of the CALLS of these programs: program and number, result or exception,
allocations and references that are left."""

from __future__ import annotations

import gc
import pathlib
import sys
from collections.abc import Callable

from debuggee import load
from numba.core.runtime import rtsys
from returned import exactly


def counted(told: Callable[[], str]) -> tuple[str, int, int]:
    """Return the text of the second call, when all is compiled, and the number of allocations and references that the
    call leaves."""
    told()
    gc.collect()
    gc.freeze()  # so that the compiler's objects are not searched again
    before = rtsys.get_allocation_stats()
    said = told()
    gc.collect()
    after = rtsys.get_allocation_stats()
    left = (after.alloc - before.alloc) - (after.free - before.free)
    return said, left, (after.mi_alloc - before.mi_alloc) - (after.mi_free - before.mi_free)


def main() -> None:
    for file in map(pathlib.Path, sys.argv[1:]):
        for number, call in enumerate(load(file)):
            said, left, left_infos = counted(lambda call=call: exactly(call))
            print(f"{file.stem} {number}\t{said}\t{left}\t{left_infos}", flush=True)


if __name__ == "__main__":
    main()

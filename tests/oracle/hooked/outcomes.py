"""What calls of compiled code come to, to the bit, and what memory they leave; NUMBA_NRT_STATS=1 is wanted.

outcomes.py FILE…: of the CALLS of each of these programs, one a line: program and number, result or exception,
allocations and references that are left.
"""

from __future__ import annotations

import gc
import pathlib
import re
import struct
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from debuggee import load
from numba.core.runtime import rtsys


def bits(value: Any) -> str:
    if isinstance(value, float):
        return struct.pack("<d", value).hex()
    if isinstance(value, complex):
        return bits(value.real) + "+" + bits(value.imag)
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{value.tobytes().hex()}"
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}({', '.join(map(bits, value))})"
    if isinstance(value, set):
        return f"set({', '.join(sorted(map(bits, value)))})"
    if isinstance(value, dict):
        return f"dict({', '.join(f'{bits(key)}: {bits(each)}' for key, each in value.items())})"
    if isinstance(value, np.generic):
        return f"{value.dtype} {value.tobytes().hex()}"
    return f"{type(value).__name__} {value!r}"


def counted(told: Callable[[], str]) -> tuple[str, int, int]:
    """What is told the second time, when all is compiled, and how many allocations and references it leaves."""
    told()
    gc.collect()
    gc.freeze()  # what the compiler keeps need not be gone through again
    before = rtsys.get_allocation_stats()
    said = told()
    gc.collect()
    after = rtsys.get_allocation_stats()
    left = (after.alloc - before.alloc) - (after.free - before.free)
    return said, left, (after.mi_alloc - before.mi_alloc) - (after.mi_free - before.mi_free)


def outcome(call: Callable[[], Any]) -> str:
    try:
        return bits(call())
    except Exception as error:
        return re.sub(r"0x[0-9a-f]+|#[0-9a-f]{9,}", "ADDRESS", f"{type(error).__name__}{error.args!r}")


def main() -> None:
    for file in map(pathlib.Path, sys.argv[1:]):
        for number, call in enumerate(load(file)):
            said, left, left_infos = counted(lambda call=call: outcome(call))
            print(f"{file.stem} {number}\t{said}\t{left}\t{left_infos}", flush=True)


if __name__ == "__main__":
    main()

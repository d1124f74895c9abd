"""Frees what malloc never gave, so that glibc aborts: `direct` by free, `through` by a function that jumps on to it."""

import ctypes
import sys

from numba import njit

memory = ctypes.create_string_buffer(64)
BAD = (ctypes.addressof(memory) + 32) & ~15  # it looks like a block, whose size is 0
function = ctypes.CDLL(None).free if sys.argv[1] == "direct" else ctypes.pythonapi.PyMem_RawFree
work = ctypes.CFUNCTYPE(None, ctypes.c_size_t)(ctypes.cast(function, ctypes.c_void_p).value)


@njit(debug=True)
def release(count):
    for i in range(count):
        if i == 2:
            work(BAD)  # at: bad
    return count


print(hex(BAD), flush=True)
release(3)  # at: call

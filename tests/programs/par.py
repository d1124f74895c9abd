"""Scenario D: a crash in a parallel loop; run with NUMBA_NUM_THREADS=4."""

import ctypes

from numba import njit, prange

work = ctypes.CDLL(None).free
work.argtypes = [ctypes.c_size_t]
work.restype = None


@njit(debug=True, parallel=True)
def foo():
    counter = 0
    n = 9
    for i in prange(n):  # at: prange
        if i > 3 and i < 8:
            counter += 10
        if i == 8:
            work(0xBADADD)  # at: crash
        counter += 1
    return counter


print(foo())  # at: call

"""What a program found wrong once at NUMBA_OPT=0: Numba makes one loop of a parallel loop and of the array expressions
before it, so that elements of later iterations hold what the memory had before."""

import numpy as np
from numba import njit, prange


@njit(debug=True)
def freed():
    total = 0
    for n in range(4, 9):
        ones = np.ones(n, dtype=np.int64)
        total += ones.sum()
    return total


@njit(debug=True, parallel=True)
def filled(rows, k):
    w = rows * 2.0 + 1.0
    out = np.ones(len(rows))
    for i in prange(len(rows)):
        here = w[i] + k
        out[i] = here
    return out[0] + out[5]


@njit(debug=True, parallel=True)
def read(rows, k):
    w = rows * 2.0 + 1.0
    out = np.empty(len(rows))
    for i in prange(len(rows)):
        here = w[i] + k
        out[i] = here
    return out, w


CALLS = [
    lambda: freed(),
    lambda: filled(np.arange(6) * 0.5, 3),
    lambda: freed(),
    lambda: read(np.arange(6) * 0.5, 3)[1].sum(),
]

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


@njit(debug=True, parallel=True)
def apart(rows, cells, k):
    """The loop has nothing to do with the array that its kernel fills, too."""
    w1 = rows * 2.0 + rows
    out = np.ones(len(rows))
    for i in prange(len(rows)):
        line = 0.0
        for j in range(3):
            part = cells[i, j] * 0.5
            line += part
        out[i] = line
    return w1[0] + out[0] + k


@njit(debug=True, parallel=True)
def chained(rows, scale):
    w6 = np.sqrt(np.abs(rows))
    w7 = np.where(w6 > scale, w6, 0.0)
    out = np.zeros(len(rows))
    for i in prange(rows.size):
        line = 0.0
        for j in range(3):
            line += j * scale
        out[i] = line
    return w6[0] + w7[0] + out[0]


CALLS = [
    lambda: apart(np.arange(9) * 0.5, np.arange(27.0).reshape(9, 3), 2),
    lambda: chained(np.arange(9) * 0.5, 1.5),
    lambda: freed(),
    lambda: filled(np.arange(6) * 0.5, 3),
    lambda: freed(),
    lambda: read(np.arange(6) * 0.5, 3)[1].sum(),
]

"""Faults in functions without debug information: one by itself, one that is inlined into a parallel loop."""

import sys

import numpy as np
from numba import njit, prange


@njit
def touch(a, i, off):
    a[i + off] = i


@njit
def caller(a, i):
    a[i] = a.size
    return i


@njit(debug=True, parallel=True)
def fill(a, off):
    for i in prange(a.size):
        o = off[i]
        touch(a, i, o)  # at: call
    return a


off = np.zeros(64, np.int64)
off[40] = 10**12
fill(np.zeros(64), off) if len(sys.argv) > 1 else caller(np.zeros(4), 10**12)

"""Loops whose code LLVM lays out in pieces: over a generator that is inlined, and over enumerate()."""

import numpy as np
from numba import njit


@njit(debug=True)
def squares(n):
    k = 0
    while k < n:
        yield k * k
        k += 1


@njit(debug=True)
def collect(n):
    j = 0  # at: first
    buf = np.zeros(4, np.int64)
    for f in squares(n):  # at: for
        buf[j % 4] = f  # at: store
        j += 1  # at: count
    return buf  # at: collected


@njit(debug=True)
def scale(a):
    out = np.empty_like(a)  # at: scale
    for i, v in enumerate(a):  # at: enumerate
        out[i] = v * 3.0  # at: element
    return out  # at: scaled


print(collect(4), scale(np.arange(3.0)))

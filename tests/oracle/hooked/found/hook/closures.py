"""Found with a program written by hand: a line of a parallel loop that calls a function in the function."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def spread(a, k):
    out = np.zeros(len(a))

    def scaled(x, y):
        z = x * y
        return z + k

    for i in prange(len(a)):
        c = scaled(a[i], i)
        h = scaled(c, 2)
        out[i] = h - c
    return out.sum()


@njit(debug=True)
def total(a, k):
    def scaled(x, y):
        z = x * y
        return z + k

    t = 0.0
    for i in range(len(a)):
        c = scaled(a[i], i)
        h = scaled(c, 2)
        t += h - c
    return t


CALLS = [lambda: spread(np.arange(4.0), 3), lambda: total(np.arange(4.0), 3)]

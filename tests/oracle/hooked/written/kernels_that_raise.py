"""Exceptions in prange, of a call and of the loop's own."""

import numpy as np
from numba import njit, prange


@njit(debug=True)
def check(x):
    if x > 5:
        raise ValueError("too big", x)
    return x * 2


@njit(debug=True, parallel=True)
def each(a):
    out = np.zeros(a.size)
    total = 0.0
    for i in prange(a.size):
        y = check(a[i])
        out[i] = y
        total += y
    return out, total


@njit(debug=True, parallel=True)
def own(n):
    out = np.zeros(n)
    for i in prange(n):
        if i == 7:
            raise KeyError("seven")
        out[i] = i
    return out


@njit(debug=True, parallel=True, boundscheck=True)
def outside(a, k):
    total = 0.0
    for i in prange(a.size):
        total += a[i + k]
    return total


CALLS = [
    lambda: each(np.arange(5.0)),
    lambda: each(np.arange(9.0)),
    lambda: own(7),
    lambda: own(9),
    lambda: outside(np.ones(9), 0),
    lambda: outside(np.ones(9), 3),
]

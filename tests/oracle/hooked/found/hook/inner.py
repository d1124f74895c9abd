"""Found with programs written by hand: defaults of functions in functions, and comprehensions in parallel loops."""

import numpy as np
from numba import njit, prange


@njit(debug=True)
def defaults(n, base=2):
    def add(p, q=4):
        r = p + q
        return r * base

    total = add(n)
    for i in range(3):
        total += add(i)
        total -= 1
    return total


@njit(debug=True, parallel=True)
def listed(n):
    out = np.zeros(n)
    for i in prange(n):
        q = i + 10
        got = np.array([i * q for q in range(3)])
        out[i] = got[2] + q
    return out.sum()


CALLS = [lambda: defaults(3), lambda: listed(3)]

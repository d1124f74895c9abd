"""What programs found wrong once at NUMBA_OPT=0: in code that Numba has put in line, what the function around it has
under a name of the other's."""

# ruff: noqa: B007, E731 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit, prange


@njit(debug=True, inline="always")
def thrice(x):
    y = x * 3
    z = y - 1
    return z


@njit(debug=True)
def calling(n):
    y = n + 100
    z = y * 2
    a = thrice(n)
    for x in range(n):
        a += thrice(x)
    q = a + y
    return q + z


@njit(debug=True)
def closing(n):
    y = n + 100
    k = 7

    def inner(v, k):
        y = v * 3
        w = y - k
        return w

    total = 0
    for v in range(n):
        total += inner(v + 10, 3)
    last = inner(total, n)
    y = last - k
    back = lambda k: k + y
    return back(3) + y


@njit(debug=True, parallel=True)
def spread(n):
    out = np.zeros(n)
    y = 50
    for i in prange(n):
        z = i + 5
        out[i] = thrice(z) + y
        x = z * 2
        out[i] += x
    return out.sum()


CALLS = [lambda: calling(3), lambda: closing(2), lambda: spread(3)]

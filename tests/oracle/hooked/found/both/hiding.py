"""What programs found wrong once: in code that Numba has inlined, what the function around it has under a name of
the other's (of stock code at NUMBA_OPT=0; with the hook as well)."""

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
        b = thrice(x)
        a += b
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
        t = thrice(z)
        out[i] = t + y
        x = z * 2
        out[i] += x
    return out.sum()


@njit(debug=True, parallel=True)
def closed(n):
    out = np.zeros(n)
    y = 50
    k = n * 2

    def deeper(v, k):
        y = v * 3
        w = y - k
        return w

    for i in prange(n):
        v = i + 5
        w = v * k
        t = deeper(v, i)
        out[i] = t + y + w
        w += 1
        out[i] += w
    return out.sum()


CALLS = [lambda: calling(3), lambda: closing(2), lambda: spread(3), lambda: closed(3)]

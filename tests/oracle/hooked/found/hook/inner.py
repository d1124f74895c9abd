"""Found with programs written by hand: defaults of functions in functions, comprehensions in parallel loops, and a loop
that calls a function whose loop calls another, and functions in functions that call each other."""

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


@njit(debug=True)
def weight(x, k):
    w = x * k
    return w + 1


@njit(debug=True)
def weights(n, k):
    t = 0
    for i in range(n):
        t += weight(i, k)
    return t


@njit(debug=True)
def rounds(n):
    s = 0
    for r in range(2):
        s += weights(n, r)
    return s


@njit(debug=True)
def clamps(x, k):
    def clamp(g):
        if g < 0:
            return 0.0
        return g * k

    def added(d, e):
        f = clamp(d) + e
        return f

    u = added(x, 1.0)
    w = added(-x, u)
    return w


CALLS = [
    lambda: defaults(3),
    lambda: listed(3),
    lambda: rounds(3),
    lambda: clamps(2.5, 2),
]

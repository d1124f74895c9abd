"""Branches that Numba takes out, for an argument is None: what they assign is not lost."""

import numpy as np
from numba import njit


@njit(debug=True)
def h(a, n=None, m=None):
    if n is None:
        n = 7
    s = 0.0
    for i in range(n):
        s += a[i % a.size]
    if m is not None:
        s += 1
    return s


@njit(debug=True)
def g(a, w):
    t = 0.0
    if w is None:
        t = a.sum()
    else:
        t = (a * w).sum()
    u = t * 2
    return u


@njit(debug=True)
def k(a, n=None):
    n = a.size if n is None else n
    z = n + 1
    return z


CALLS = [
    lambda: h(np.arange(4.0)),
    lambda: h(np.arange(4.0), 3),
    lambda: h(np.arange(4.0), None, 2),
    lambda: g(np.arange(4.0), None),
    lambda: g(np.arange(4.0), 2.0),
    lambda: k(np.arange(3.0)),
    lambda: k(np.arange(3.0), 9),
]

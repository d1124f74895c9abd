"""Arguments that are left out: nothing is passed of them, before others that are passed, and where none is read."""

import numpy as np
from numba import njit, prange


@njit(debug=True)
def clip(x, lo=0.0, hi=None):
    if hi is None:
        top = 1.0
    else:
        top = hi
    if x < lo:
        return lo
    elif x > top:
        return top
    y = x
    return y


@njit(debug=True)
def unread(n, f=None, g=3, h=2.5):
    acc = 0
    for i in range(n):
        acc += i
    p = acc * 2
    return p


@njit(debug=True, parallel=True)
def workers(a, w=None, k=3, f=1.5):
    s = 0.0
    for i in prange(a.size):
        s += a[i] * k
    return s


CALLS = [
    lambda: clip(0.5),
    lambda: clip(5.0, 0.0, 2.0),
    lambda: clip(1.5, hi=2.0),
    lambda: unread(4),
    lambda: unread(3, g=7),
    lambda: workers(np.arange(5.0)),
    lambda: workers(np.arange(5.0), f=2.5),
]

"""vectorize and guvectorize, called from compiled code and from Python."""

import numpy as np
from numba import float64, guvectorize, int64, njit, vectorize


@vectorize([float64(float64, float64), int64(int64, int64)])
def clip(x, top):
    if x > top:
        return top
    y = x - x
    return x if x > y else y


@vectorize
def late(x, y):
    z = x * y
    return z - 1


@guvectorize([(float64[:], float64, float64[:])], "(n),()->(n)")
def smooth(a, k, out):
    before = 0.0
    for i in range(a.shape[0]):
        before = k * before + (1 - k) * a[i]
        out[i] = before


@njit(debug=True)
def both(a, n):
    b = clip(a, 3.0)
    out = np.zeros_like(a)
    total = 0.0
    for i in range(n):
        b = late(b, a) + i
        total += b[0]
    smooth(b, 0.5, out)
    return b, out, total


CALLS = [
    lambda: both(np.linspace(-2, 5, 7), 3),
    lambda: clip(np.arange(-2, 6), 4),
    lambda: late(np.arange(4), 2.5),
    lambda: smooth(np.arange(12.0).reshape(3, 4), 0.25),
]

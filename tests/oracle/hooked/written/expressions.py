"""Array expressions with parallel=True: fused, broadcast, masked, reduced, in a loop."""

import numpy as np
from numba import njit


@njit(debug=True, parallel=True)
def fused(a, b):
    c = a + b
    d = c * 2 - a
    e = np.where(d > 3, d, -d)
    s = e.sum()
    m = e.max()
    at = np.argmax(e)
    return d, s, m, at


@njit(debug=True, parallel=True)
def broadcast(a, row, k):
    out = np.zeros_like(a)
    for i in range(k):
        out = out + a * row + i
        row = row + 1
    n = np.count_nonzero(out > 5)
    return out, n, row


@njit(debug=True, parallel=True)
def masked(a):
    a[a < 0] = 0
    b = a[a > 2]
    a[1:4] = 7
    c = np.arange(a.size) ** 2
    d = np.ones(3)
    d += 2
    return a, b, c, d


@njit(debug=True, parallel=True)
def statistics(a):
    mean = a.mean()
    centred = a - mean
    var = (centred * centred).sum() / a.size
    low, high = a.min(), a.max()
    return mean, var, low, high, a.prod()


CALLS = [
    lambda: fused(np.arange(20), np.arange(20)[::-1].copy()),
    lambda: broadcast(np.arange(12.0).reshape(3, 4), np.arange(4.0), 3),
    lambda: masked(np.arange(-3, 9)),
    lambda: statistics(np.arange(1.0, 9.0)),
]

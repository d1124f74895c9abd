"""fastmath=True, in whole and in part: sums, dot products, norms, selections."""

import numpy as np
from numba import njit


@njit(debug=True, fastmath=True)
def total(a):
    s = 0.0
    for x in a:
        s += x
    return s


@njit(debug=True, fastmath={"reassoc", "contract"})
def norm(a, b):
    s = 0.0
    c = 0.0
    for i in range(a.size):
        s += a[i] * b[i] + a[i]
        c = max(c, abs(a[i]))
    return s, c


@njit(debug=True, fastmath=True)
def scaled(a, k):
    out = np.empty_like(a)
    for i in range(a.shape[0]):
        row = 0.0
        for j in range(a.shape[1]):
            row += a[i, j] / k
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] / row
    return out


# Sums of whole numbers: each order of adding gives the same.
CALLS = [
    lambda: total(np.arange(3000.0)),
    lambda: total(np.arange(3000, dtype=np.float32)),
    lambda: norm(np.arange(-800.0, 800.0), np.arange(1600.0) % 7),
    lambda: scaled(np.ones((9, 16)), 2.0),
]

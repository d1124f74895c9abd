"""float32: the precision of sums, NaN, negative zero, infinity, smallest numbers."""

import numpy as np
from numba import njit


@njit(debug=True)
def mean(a):
    total = np.float32(0)
    for x in a:
        total += x
    return total / np.float32(a.size), total


@njit(debug=True)
def mixed(a, scale):
    out = np.empty_like(a)
    kept = np.float32(1)
    for i in range(a.size):
        y = a[i] * scale
        kept = np.float32(kept * y)
        out[i] = kept - y
    return out, kept


@njit(debug=True)
def least(a):
    best = a[0]
    for x in a:
        best = min(best, x)
    other = max(a[0], a[-1])
    return best, other


ODD = np.array([np.nan, -0.0, 0.0, np.inf, -np.inf, 1e-45, 1e-320], np.float64)
CALLS = [
    lambda: mean(np.sin(np.arange(4001.0)).astype(np.float32)),
    lambda: mixed(np.linspace(0.9, 1.1, 333).astype(np.float32), 1.01),
    lambda: mixed(np.linspace(0.9, 1.1, 333).astype(np.float32), np.float32(1.01)),
    lambda: (least(ODD), least(ODD[1:]), least(ODD[::-1]), least(ODD.astype(np.float32))),
]

"""Parallel reductions by each operator, of numbers and of arrays, two in one loop, one in a branch."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def each(a):
    s = 0
    p = 1
    low = 1 << 40
    high = -low
    x = 0
    o = 0
    for i in prange(a.size):
        v = a[i]
        s += v
        p *= v % 3 + 1
        low = min(low, v)
        high = max(high, v)
        x ^= v
        o |= v
    return s, p, low, high, x, o


@njit(debug=True, parallel=True)
def arrays(a, n):
    total = np.zeros(3, np.int64)
    counts = np.zeros(4, np.int64)
    for i in prange(n):
        total += a[i]
        b = np.zeros(4, np.int64)
        b[i % 4] = 1
        counts += b
    return total, counts


@njit(debug=True, parallel=True)
def some(a, k):
    n = 0
    s = 0.0
    for i in prange(a.size):
        if a[i] % k == 0:
            n += 1
            for j in range(k):
                s += j
    mean = s / max(n, 1)
    return n, s, mean


@njit(debug=True, parallel=True)
def nested(n):
    total = 0
    grid = np.zeros((n, n), np.int64)
    for i in prange(n):
        for j in prange(n):
            grid[i, j] = i * j
        total += grid[i].sum()
    last = grid[-1, -1]
    return total, grid, last


CALLS = [
    lambda: each(np.arange(1, 40)),
    lambda: each(np.arange(0)),
    lambda: arrays(np.arange(60).reshape(20, 3), 20),
    lambda: some(np.arange(100), 7),
    lambda: nested(9),
]

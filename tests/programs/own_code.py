"""Functions as most programs have them, without debug=True; `installed_kernels` is a module that the test installs."""

import numpy as np
from numba import njit, prange, vectorize
from installed_kernels import packaged


@njit
def helper(a, j):
    twice = a[j] * 2
    return twice + 1  # at: helper


@njit
def scan(a):
    total = 0.0
    for j in range(a.size):
        x = helper(a, j)
        total += x  # at: scan
    return total


@njit(parallel=True)
def halves(a):
    out = np.zeros_like(a)
    for i in prange(a.size):
        half = a[i] / 2
        out[i] = half + i  # at: halves
    return out


@njit(fastmath=True)
def fast(a):
    total = 0.0
    for x in a:
        total += x / 3  # at: fast
    return total


@vectorize(["float64(float64)"])
def element(x):
    y = x + 0.5
    return y * y  # at: element


@njit(cache=True)
def kept(n):
    square = n * n
    return square + 1  # at: kept


@njit(parallel=True)
def shaped(a, grid):
    rows, cols = grid.shape
    k = a.size
    m = a.ndim
    n = a * 2
    z = n[0] + 1
    w = len(grid)
    y = w + k
    half = k / 2
    same, pair = 5, (w, cols)
    out = np.zeros(rows)
    high = out.shape[0]
    for r in prange(rows):  # at: shaped
        lost = grid[r, 0] + 1
        out[r] = grid[r].sum()
    return out


a = np.arange(20.0)
print("results", packaged(3), scan(a), halves(a).sum(), fast(a), element(a).sum(), kept(7), shaped(a, np.ones((3, 4))).sum())
print("cache", sum(kept.stats.cache_hits.values()), sum(kept.stats.cache_misses.values()))

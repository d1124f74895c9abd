"""Pairs of points, in parallel over a triangle; rows as slices."""

import numpy as np
from numba import njit, prange


@njit(debug=True)
def apart(p, q):
    total = 0.0
    for k in range(p.shape[0]):
        d = p[k] - q[k]
        total += d * d
    return np.sqrt(total)


@njit(debug=True, parallel=True)
def distances(points):
    n = points.shape[0]
    out = np.zeros((n, n))
    for i in prange(n):
        p = points[i]
        for j in range(i + 1, n):
            d = apart(p, points[j])
            out[i, j] = d
            out[j, i] = d
    nearest = np.empty(n)
    for i in prange(n):
        row = out[i]
        best = np.inf
        for j, d in enumerate(row):
            if j != i and d < best:
                best = d
        nearest[i] = best
    return nearest.sum()


CALLS = [lambda: distances(np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]]))]

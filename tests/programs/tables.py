"""A parallel loop whose workers start parallel loops of their own (omp, tbb), and another one in its body."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def row(v, f):
    z = 0.0
    for c in prange(v.shape[0]):  # at: header
        w = v[c] * f
        z += w  # at: inner
    return z  # at: behind


@njit(debug=True, parallel=True)
def table(m):
    out = np.empty(m.shape[0])
    for b in prange(m.shape[0]):
        g = row(m[b], b + 1)  # at: call
        for h in prange(3):  # at: plain
            g += h * b
        out[b] = g
    return out


print(table(np.arange(24.0).reshape(6, 4)))

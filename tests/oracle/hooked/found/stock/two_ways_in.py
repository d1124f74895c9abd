"""Numba starts the first loop behind the second `full`, in code whose loops have two ways in: `out` was older without a
label."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def spread(rows, k, scale):
    out = np.full(len(rows), k)
    for i in prange(len(rows)):
        out[i] = 4.0 if k <= 4 else scale
    other = np.full(len(rows), k)
    for i in prange(rows.size):
        other[i] = out[i] * scale
    zeros = np.zeros_like(rows)
    top = out[0] + other[0] + zeros[0]
    return top


CALLS = [lambda: spread(np.arange(7) * 0.5, 1, 1.5)]

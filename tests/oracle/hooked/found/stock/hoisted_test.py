"""Numba makes what the test's line needs ahead of the lines above it: `out` was unassigned there."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def spread(rows, scale):
    total = rows.sum()
    out = np.zeros(len(rows))
    if scale != -3.5:
        for i in prange(1, len(rows)):
            out[i] = i
    top = out[0] + total
    return top


CALLS = [lambda: spread(np.arange(7) * 0.5, 1.5)]

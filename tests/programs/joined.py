"""A parallel loop that Numba joins to the array expression above it; run with NUMBA_NUM_THREADS=4."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def joined(a):
    n = a.shape[0]
    out = np.zeros(n)  # at: zeros
    total = 0.0
    for i in prange(n):  # at: header
        q = i * 3  # at: first
        t = a[i] * 2.0
        out[i] = t + q
        total += t  # at: last
    return total, out  # at: behind


print(joined(np.arange(12.0)))

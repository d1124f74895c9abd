"""Workers of a parallel loop that call a parallel function: several launches of one loop at once (omp, tbb)."""

import numpy as np
from numba import njit, prange

import jitscope


@njit(debug=True, parallel=True)
def inner(row, k):
    total = 0.0
    for j in prange(row.shape[0]):
        value = row[j] * k
        jitscope.breakpoint()
        total += value
    return total


@njit(debug=True, parallel=True)
def outer(a):
    total = 0.0
    for i in prange(a.shape[0]):
        total += inner(a[i], i + 1)  # at: call
    return total


print(outer(np.arange(8.0).reshape(4, 2)))

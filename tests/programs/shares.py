"""A parallel loop whose workers have one chunk each: run with NUMBA_NUM_THREADS=2."""

import numpy as np
from numba import njit, prange


@njit(parallel=True)
def shared(a):
    total = 0
    for i in prange(a.shape[0]):  # at: header
        t = a[i] * 2
        total += t  # at: last
    return total


print(shared(np.arange(8) + 4))  # at: call

"""A parallel loop of more chunks than workers, again and again: run with NUMBA_NUM_THREADS=2. argv: how often."""

import sys

import numpy as np
from numba import njit, prange, set_parallel_chunksize


@njit(debug=True, parallel=True)
def chunked(a):
    total = 0
    for i in prange(a.shape[0]):  # at: header
        t = a[i] * 2  # at: body
        total += t  # at: last
    return total  # at: behind


a = np.arange(8) + 4
set_parallel_chunksize(2)
for _ in range(int((sys.argv[1:] or ["3"])[0])):
    print(chunked(a))

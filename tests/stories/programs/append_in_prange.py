r"""
report: numba/numba#5248
what: All iterations of a parallel loop append to one list, and free() finds damaged memory.
cause: all workers of the prange at append_in_prange\.py:\d+ call `region\.append\(\)`
never: (outside axis|is not explained)
"""

import contextlib

import numpy as np
from numba import njit, prange


@njit(parallel=True)
def find(values):
    region = []
    sums = np.sum(values, axis=1)
    for i in prange(values.shape[0]):
        if sums[i] > 0:
            region.append(values[i])
    return region


array = np.random.rand(1 << 16, 4)
for _ in range(500):
    with contextlib.suppress(MemoryError, SystemError):  # other effects of the same cause
        find(array)

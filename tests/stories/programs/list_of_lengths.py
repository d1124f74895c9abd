r"""
report: numba/numba#4579
what: A parallel list comprehension appends to one list in all workers, and ends with a segmentation fault.
cause: all workers of the prange at list_of_lengths\.py:\d+ append to the list of one comprehension
never: (outside axis|is not explained)
"""

import contextlib

import numpy as np
from numba import njit, prange


@njit(parallel=True)
def lengths(n):
    return [np.arange(i % 7) for i in prange(n)]


for _ in range(500):
    with contextlib.suppress(MemoryError, SystemError):  # other effects of the same cause
        lengths(100000)

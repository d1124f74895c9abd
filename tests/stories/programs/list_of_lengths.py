r"""
report: numba/numba#4579
what: A parallel list comprehension appends to one list in all workers, and ends with a segmentation fault.
then: jit bt
cause: (append|list).*(prange|parallel).*(not safe|not thread-safe|one list)
never: (outside axis|is not explained)
"""

import numpy as np
from numba import njit, prange


@njit(parallel=True)
def lengths(n):
    return [np.arange(i % 7) for i in prange(n)]


for _ in range(50):
    lengths(100000)

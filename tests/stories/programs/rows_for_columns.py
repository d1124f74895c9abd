r"""
report: numba/numba#8313
what: The inner loop over the columns uses its index for the rows, so that it leaves the array.
cause: an index of `out\[j\]` or `a\[j\]` is outside its array
"""

import numpy as np
from numba import njit


@njit(fastmath=True)
def copy(a, out):
    rows, columns = a.shape
    for _ in range(rows):
        for j in range(columns):
            out[j] = a[j]


copy(np.ones((100, 40000)), np.zeros((100, 40000)))

"""Names of the module in the body of a parallel loop, which Numba compiles as a function without a module."""

import numpy as np
from numba import njit, prange

LIMIT = 5
SCALE = 2.5


@njit(parallel=True, debug=True)
def scale(a):
    out = np.zeros_like(a)
    for i in prange(a.size):
        y = a[i] * SCALE
        if i > LIMIT:
            y += 1
        out[i] = y  # at: body
    return out


print(scale(np.arange(20.0)).sum())

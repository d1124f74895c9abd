"""A parallel loop, and variables of the function around it that it does not use."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def scaled(a, limit, other, label):
    scale = other * 2
    unused = limit + 3
    total = 0.0
    for i in prange(a.size):
        v = a[i] * scale
        a[i] = v + 1  # at: body
        total += v  # at: next
    unused += 1
    return total + unused


print(scaled(np.arange(16.0), 4, 2.5, "abc"))

"""The names of a parallel loop at its header: nothing has assigned them when it is reached, or an earlier loop has."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def doubled(a):
    out = np.zeros(a.size)
    for i in prange(a.size):  # at: first
        t = a[i] * 2
        out[i] = t + 1
    for n in range(2):
        for k in prange(a.size):  # at: again
            u = out[k] + n
            out[k] = u
    return out  # at: last


print(doubled(np.arange(8.0)))

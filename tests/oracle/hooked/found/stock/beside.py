"""What was found wrong once: an array that Numba makes with one of a line above; arguments that kernels give up."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def spread(rows, k):
    c = 3
    out = np.zeros(len(rows))
    out[0] = c
    b = np.ones(len(rows))
    c = 5
    for i in prange(len(rows)):
        b[i] += rows[i] * 2.0 + out[i]
    d = c * k
    e = rows * 2.0
    f = e + rows
    d = 7
    for i in prange(len(rows)):
        f[i] = f[i] + e[i] + c
    return f[0] + b[0] + d


CALLS = [lambda: spread(np.arange(8.0), 4), lambda: spread(np.arange(3.0), -1)]

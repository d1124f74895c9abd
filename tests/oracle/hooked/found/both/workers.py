"""What was found false once: in a function that a parallel loop's body calls, a variable without a value was taken for
that of the function around the loop."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def roots(n):
    out = np.zeros(n)
    for i in prange(n):
        out[i] = root(i * i * i)
    return out.sum()


@njit(debug=True)
def root(n0):
    k = 0
    while k * k < n0:
        k += 1
    n = k + 1
    return n


CALLS = [lambda: roots(4)]

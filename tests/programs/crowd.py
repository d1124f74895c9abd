"""Workers of which nothing is described, or no loop: a parallel ufunc, and a loop without debug information."""

import numpy as np
from numba import njit, prange, vectorize


@vectorize(["float64(float64)"], target="parallel")
def twice(x):
    y = x * 2  # at: ufunc
    return y + 1


@njit(parallel=True, debug=False)
def fill(a, f):
    for i in prange(8):
        a[f[i]] = i
    return a


if __name__ == "__main__":
    twice(np.arange(400.0))
    f = np.arange(8)
    f[5] = 10**13
    fill(np.zeros(16), f)

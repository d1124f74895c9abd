"""What did not compile at steps once: a parallel loop under a test, with a copy of its sum that is also behind it."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def parted(a, mode):
    t = 0.0
    if mode:
        a[0] = 1.0
    else:
        for i in prange(len(a)):
            k = 0
            while k < a[i]:
                k += 1
                t += k
    return t


CALLS = [lambda: parted(np.array([0.5, 1.0, 3.0]), False), lambda: parted(np.array([0.5, 1.0, 3.0]), True)]

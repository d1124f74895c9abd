"""Found with programs written by hand: a generator that yields in an inner loop, which Python goes through."""

import numpy as np
from numba import njit


@njit(debug=True)
def pairs(v):
    for i in range(len(v)):
        for j in range(i):
            p = (v[i], v[j])
            yield p


CALLS = [lambda: sum(a * b for a, b in pairs(np.array([1.0, 2.0, 3.0])))]

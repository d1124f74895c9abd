"""Found with a program written by hand: a line of a parallel loop that makes a lambda."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def spread(v, k):
    out = np.zeros(len(v))
    for i in prange(len(v)):
        turn = lambda x: x * k + i  # noqa: E731
        out[i] = turn(v[i] + 1)
    return out.sum()


CALLS = [lambda: spread(np.arange(4.0), 3)]

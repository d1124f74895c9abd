"""What generated programs found wrong once: reductions that are all of a parallel loop, and those of NumPy."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def sums(rows, k):
    first = k + 1
    w1 = rows.max()
    w2 = np.sum(rows * 2.0)
    w3 = rows.sum() + w1
    if k > 1:
        w4 = rows.mean()
    else:
        w4 = rows.min()
    last = w1 + w2
    return last + first + w3 + w4


@njit(debug=True, parallel=True)
def only(rows, k):
    total = 0
    least = k + 0.5
    for i in prange(rows.size):
        total += k
        least = min(least, rows[i])
    more = k + 1
    again = more + 1
    return total + again + least


CALLS = [
    lambda: sums(np.arange(3) * 0.5, 0),
    lambda: sums(np.arange(3) * 0.5, 2),
    lambda: only(np.arange(8) * 0.5, 3),
]

"""What generated programs found wrong once: loops in parallel loops that Numba fuses with others, or with the arrays
that they fill, and of several blocks."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def spread(rows, cells, k):
    out = np.zeros(len(rows))
    for i in prange(len(rows)):
        line = 0.0
        for j in prange(cells.shape[1]):
            part = cells[i, j] * 0.5
            line += part
            cells[i, j] = part + 1.0
        out[i] = line
    sum1 = 0.0
    most = -100.0
    for i in prange(len(rows)):
        sum1 += rows[i]
        most = max(most, rows[i])
    other = np.ones(len(rows))
    for i in prange(len(rows)):
        here = rows[i] * k
        other[i] = here
    return out[0] + other[1] + sum1 + most


@njit(debug=True, parallel=True)
def most(a):
    total = 0.0
    for i in prange(a.shape[0]):
        s = 0.0
        big = -1.0
        for j in prange(a.shape[1]):
            x = a[i, j] * 2
            s += x
            if x > big:
                big = x
        total += s + big
    return total


CALLS = [
    lambda: most(np.arange(6.0).reshape(2, 3)),
    lambda: spread(np.arange(8) * 0.5, np.arange(24.0).reshape(8, 3), 2),
]

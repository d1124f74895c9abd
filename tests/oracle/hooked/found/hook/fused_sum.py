"""Loops that Numba fuses: what one of them adds up has no value yet on the lines of the other."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def spread(rows, cells):
    total = 0
    for i in prange(len(rows)):
        total += i
    out = np.ones(len(rows))
    for i in prange(len(rows)):
        line = 0.0
        for j in range(cells.shape[1]):
            line += cells[i, j]
        out[i] = line
    return out.sum() + total


CALLS = [lambda: spread(np.arange(5) * 0.5, np.arange(15.0).reshape(5, 3))]

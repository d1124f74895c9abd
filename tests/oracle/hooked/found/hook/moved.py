"""A temporary that Numba has moved before the loop that stands before its line, in a parallel loop."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def spread(cells, k, scale):
    out = np.ones(len(cells))
    for i in prange(cells.shape[0]):
        line = 0.0
        for j in prange(3):
            part = cells[i, j] * scale
            s = 0
            for turn in range(k % 3):
                s += turn
            line += part
            cells[i, j] = part + 1.0 + s
        if i % 3 == 0:
            first = k % 97
        else:
            first = i * 2
        out[i] = line + first
    return out[0]


CALLS = [lambda: spread(np.arange(15.0).reshape(5, 3), 2, 1.5)]

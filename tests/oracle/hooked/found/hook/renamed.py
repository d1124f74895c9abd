"""What a program found wrong once at `exact`: a variable of a parallel loop's body that is a copy of an inner loop's
index. Numba names that loop's item by the copy, whose value was shown before its assignment."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def copied(cells, scale):
    out = np.zeros(cells.shape[0])
    for i in prange(cells.shape[0]):
        line = 0.0
        for j in range(cells.shape[1]):
            part = cells[i, j] * scale
            low = -1
            for n in range(3):
                low = low * 0.5 + n
            last = j  # noqa: F841
            line += part
        out[i] = line
    return out[0]


CALLS = [lambda: copied(np.arange(12.0).reshape(4, 3), 1.5)]

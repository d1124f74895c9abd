"""Arguments that a parallel loop's source reads, and no longer what Numba has made of it."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def spread(rows, cells, k, flag, scale):
    out = np.zeros(3)
    for i in prange(3):
        here = rows[i] * scale  # noqa: F841
        first = cells[0, 0] if flag else 0.5  # noqa: F841
        f8 = 2
        for i9 in range(k % 2):
            f8 = f8 * 0.5 + i9
        out[i] = i
    return out[0]


CALLS = [
    lambda: spread(np.arange(3) * 0.5, np.arange(9.0).reshape(3, 3), 4, True, 1.5),
    lambda: spread(np.arange(8.0)[::2], np.ones((2, 3)), -1, False, 2.25),
]

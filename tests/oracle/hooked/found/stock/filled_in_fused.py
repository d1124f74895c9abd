"""Found at seed 82001, at NUMBA_OPT=0: an array that an expression makes between two parallel loops that Numba fuses is
filled by the iterations of both."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def spread(rows, cells, k, scale):
    out1 = np.zeros_like(rows)
    for i in prange(rows.shape[0]):
        out1[i] = -4.75 if k > k else scale
    out3 = np.zeros_like(rows)
    for i in prange(rows.shape[0]):
        out3[i] = i * 0.5
    w4 = out1 * scale + 1.0
    out5 = np.zeros(len(rows))
    for i in prange(rows.shape[0]):
        line = 0.0
        for j in range(3):
            part = cells[i, j] * scale
            line += part
            cells[i, j] = part + 1.0
        out5[i] = line
    return out1[0] + out3[0] + w4[0] + out5[0]


CALLS = [lambda: spread(np.arange(9) * 0.5, np.arange(27.0).reshape(9, 3), 1, 1.5)]

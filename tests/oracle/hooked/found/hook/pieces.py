"""What generated programs found wrong once: lines with calls that LLVM lays out in several pieces, one of them ahead of
where the line begins."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def spread(rows, cells, k, scale):
    first = cells[:, 1] - rows
    total = 0.0
    count = 0
    for i in prange(1, len(rows)):
        run = -2
        for n in range(k % 3):
            run = run * 0.5 + n
        total += rows[i]
        count += 1
    flag = k > -8
    out = np.ones(len(rows))
    whole = 0
    for i in prange(1, len(rows)):
        here = rows[i] * scale
        out[i] = here
        whole += i
    doubled = np.sum(rows * 2.0)
    last = np.ones(len(rows))
    if k == k:
        for i in prange(len(rows)):
            three = (i - 3, i // 3, (k if flag else i))
            last[i] += rows[i] * scale + three[0]
    return first[0] + out[0] + last[0] + total + count + whole + doubled


CALLS = [
    lambda: spread(np.arange(7) * 0.5, np.arange(21.0).reshape(7, 3), 3, 1.5),
]

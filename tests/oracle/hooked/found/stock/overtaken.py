"""What programs found wrong once at NUMBA_OPT=0 with parallel=True: variables at a loop that Numba launches behind the
constants of later lines, an argument whose next assignment it removes."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def spread(rows):
    total = 0.0
    count = 0
    for i in prange(1, len(rows)):
        total += rows[i]
        count += i
    later = 0.0
    most = -100.0
    for i in prange(rows.size):
        later += rows[i]
        most = max(most, rows[i])
    return total + count + later + most


@njit(debug=True, parallel=True)
def product(n):
    result = 1.0
    count = 0
    for k in prange(1, n):
        result *= 1.0 + k * 0.25
        if k % 2 == 0:
            count += 1
    n = count
    result = result + n
    return result


@njit(debug=True, parallel=True)
def early(values):
    best = values.max()
    mask = values > 1.0
    squares = np.array([v * v for v in values])
    total = (squares * mask).sum()
    for i in prange(len(values)):
        squares[i] = i * 2
    total += squares.sum()
    return total + best


@njit(debug=True, parallel=True)
def fused(rows, k):  # the kernel has code of a sum's template, whose lines are another file's
    out2 = np.zeros(len(rows))
    if k != k:
        for i in prange(1, len(rows)):
            out2[i] += rows[i]
    out8 = np.zeros(len(rows))
    for i in prange(rows.shape[0]):
        out8[i] = 1.5
    w10 = np.sum(out2 * 2.0)
    out11 = np.ones(len(rows))
    for i in prange(len(rows)):
        out11[i] = w10 * 2.25
    return out2[0] + out8[0] + out11[0] + w10


CALLS = [
    lambda: fused(np.arange(9) * 0.5, 1),
    lambda: early(np.arange(4.0)),
    lambda: spread(np.arange(9) * 0.5),
    lambda: product(6),
]

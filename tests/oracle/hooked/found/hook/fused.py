"""Parallel loops that Numba fuses: with an array expression, with each other. Values of the loops around were wrong,
and no index was known. Elements of an array that a kernel fills besides were as old as the memory, without a sign."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def filled(rows, scale):
    out = np.zeros(len(rows))
    for i in prange(len(rows)):
        here = rows[i] * scale
        low = -3.0 if here != scale else 1.0 * i
        out[i] = here + low
    return out.sum()


@njit(debug=True, parallel=True)
def behind(rows, scale):
    out = np.zeros(len(rows))
    for i in prange(len(rows)):
        out[i] = rows[i] * scale
    mean = rows.mean()
    unread = out[0]  # noqa: F841 (Numba removes it, and fuses what is around it)
    other = np.ones(len(rows))
    for i in prange(rows.shape[0]):
        other[i] = scale
    return out[0] + other[0] + mean


@njit(debug=True, parallel=True)
def indexed(values, turns):
    sums = np.zeros(turns)
    low = np.zeros(turns)
    for i in prange(turns):
        total = values[i] * 2
        for k in range(3):
            total += values[i] * k
        sums[i] = total
    for j in prange(turns):
        least = sums[j]
        for v in (1.0, 4.0):
            if v < least:
                least -= v
        low[j] = least
    return low.sum()


@njit(debug=True, parallel=True)
def apart(rows, cells, k):
    """The loop has nothing to do with the array that its kernel fills, too."""
    w1 = rows * 2.0 + rows
    out = np.ones(len(rows))
    for i in prange(len(rows)):
        line = 0.0
        for j in range(3):
            part = cells[i, j] * 0.5
            line += part
        out[i] = line
    return w1[0] + out[0] + k


@njit(debug=True, parallel=True)
def chained(rows, scale):
    w6 = np.sqrt(np.abs(rows))
    w7 = np.where(w6 > scale, w6, 0.0)
    out = np.zeros(len(rows))
    for i in prange(rows.size):
        line = 0.0
        for j in range(3):
            line += j * scale
        out[i] = line
    return w6[0] + w7[0] + out[0]


CALLS = [
    lambda: apart(np.arange(9) * 0.5, np.arange(27.0).reshape(9, 3), 2),
    lambda: chained(np.arange(9) * 0.5, 1.5),
    lambda: filled(np.arange(7) * 0.5, 1.5),
    lambda: behind(np.arange(5) * 0.5, 1.5),
    lambda: indexed(np.arange(4.0), 4),
]

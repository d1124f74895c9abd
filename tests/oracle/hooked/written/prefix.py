"""Sums of prefixes in two parallel passes."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def prefix(values, parts):
    n = len(values)
    sums = np.zeros(parts)
    size = (n + parts - 1) // parts
    out = np.empty(n)
    for p in prange(parts):
        begin = p * size
        end = min(begin + size, n)
        running = 0.0
        for i in range(begin, end):
            running += values[i]
            out[i] = running
        sums[p] = running
    offsets = np.zeros(parts)
    for p in range(1, parts):
        offsets[p] = offsets[p - 1] + sums[p - 1]
    for p in prange(parts):
        begin = p * size
        end = min(begin + size, n)
        shift = offsets[p]
        for i in range(begin, end):
            out[i] += shift
    return out[n - 1]


CALLS = [lambda: prefix(np.arange(5.0), 2)]

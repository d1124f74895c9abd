"""A generated program. What it found wrong once: code of a loop's header ahead of the store above it, which faults."""
# ruff: noqa

import math
import numpy as np
from numba import njit, prange


@njit(debug=True)
def work0(arg, brg, crg, drg, brink, far):
    a1 = np.ones((3, 2))
    sum4 = 0.0
    for r2 in range(a1.shape[0]):
        for c3 in range(2):
            sum4 += a1[r2, c3]
    brink[far] += 1.0
    for item5 in crg:
        a1[1, 0] = brg[1]
    f6 = -2
    for i7 in range(arg):
        f6 = f6 * 0.5 + i7
    array = arg
    if array != 6 and sum4 == sum4:
        left = len(crg)
    sum4 += a1[1, 0]
    return crg[-1] + f6


CALLS = [
    lambda: work0(-3, (1, 1.0), np.arange(5) * 0.75, True, np.ones(3), 0),
    lambda: work0(5, (-3, -0.25), np.array([1.5, -2.0, 0.25]), True, np.ones(3), 0),
]
FAULT = lambda: work0(-3, (1, 1.0), np.arange(5) * 0.75, True, np.ones(3), 1 << 40)

# ruff: noqa: B007, F841, E731 (as generated programs are)
"""An argument is an index of an array of the function's own: the store is not of the statement that stores to the
array that is an argument."""

import math

import numpy as np
from numba import njit


@njit(debug=True)
def work0(arg, brg, brink, far):
    turn1 = 0
    a2 = np.ones(4, dtype=np.float64)
    turn1 -= arg
    for j in range(1, 2):
        s3 = 0
        for i4 in range(arg % 3):
            brink[far] = 2.0
            s3 += 3
        try:
            a5 = np.zeros(5, dtype=np.int64)
            if j < turn1:
                raise IndexError("no")
            x = "xyz"
        except Exception:
            a6 = a2.copy()
    a2[1] += -3.25
    if brg % 2 == 1:
        turn1 += brg
    else:
        a2[brg % len(a2)] += math.sqrt(abs(1.5))
        f7 = -2
        for i8 in range(0):
            f7 = f7 * 0.5 + i8
    turn1 += 9
    return arg + 2 + brg


CALLS = [
    lambda: work0(4, -3, np.ones(3), 0),
    lambda: work0(4, 3, np.ones(3), 0),
    lambda: work0(5, 5, np.ones(3), 0),
]
FAULT = lambda: work0(4, -3, np.ones(3), 1 << 40)

"""A generated program. What it found wrong once: a jump to the function's end that had the line of the other arm."""
# ruff: noqa

import math
import numpy as np
from numba import njit, prange


@njit(debug=True)
def small0(n0):
    for i in range(1, 0, -1):
        if i % 2 == 1:
            continue
        n0 -= i
    s1 = 0
    for i2 in range(3):
        s1 += i2
    return n0 // 2 + s1


@njit(debug=True)
def work0(arg, brg, crg, drg, brink, far):
    brink[far] = 2.0
    for i2 in range(0):
        first1 = i2 * 5 + 1
    a3 = np.ones(6, dtype=np.float64)
    if arg == arg and arg % 3 == 1:
        turn4 = 0
        while True:
            turn4 += 1
            if turn4 > 1:
                break
            out5 = np.zeros(len(a3))
            for i6 in range(len(a3)):
                out5[i6] = a3[i6] * 0.5 + 1.0
            if drg != crg:
                break
        for i7, item8 in enumerate(a3):
            if i7 == turn4:
                raise IndexError("no")
            sum11 = 0.0
            for r9 in range(brg.shape[0]):
                for c10 in range(2):
                    sum11 += brg[r9, c10]
    elif drg > 3.75:
        view12 = brg[:, 0]
    else:
        out13 = np.zeros(len(a3))
        for i14 in range(len(a3)):
            e15 = a3[i14] * drg
            out13[i14] = e15 - 0.25
    turn16 = 0
    while turn16 < arg % 3:
        turn16 += 1
        for i17 in range(4):
            for k in range(arg % 2):
                if drg > 0.25:
                    break
    return -4.0 + crg


CALLS = [
    lambda: work0(3, np.ones((2, 3)), 0.25, 3.0, np.ones(3), 0),
    lambda: work0(1, np.arange(6.0).reshape(3, 2), 1.25, -1.75, np.ones(3), 0),
    lambda: work0(-3, np.ones((2, 3)), -2.5, 0.25, np.ones(3), 0),
]
FAULT = lambda: work0(3, np.ones((2, 3)), 0.25, 3.0, np.ones(3), 1 << 40)

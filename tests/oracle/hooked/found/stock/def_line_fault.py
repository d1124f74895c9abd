"""A generated program. What it found wrong once: a fault of the only store, at the line of the `def`."""
# ruff: noqa

import math
import numpy as np
from numba import njit, prange
from numba import float64, int64
from numba.experimental import jitclass


@jitclass([("n", int64), ("v", float64[:])])
class Box:
    def __init__(self, n):
        self.n = n
        self.v = np.zeros(2)


@njit(debug=True)
def small0(n0, n1):
    n0 -= n0
    return 5 + n1


@njit(debug=True)
def small1(n0):
    for j in range(n0 % 4):
        y = 0.75 if n0 < n0 else -3.5
        a1 = np.array([q * 0.5 for q in range(4)])
        y += y if n0 % 2 == 1 else y
    return 0 // 3 + n0


@njit(debug=True)
def work0(arg, brg, crg):
    items = [4, 7]
    box = Box(3)
    for i1, item2 in enumerate(brg):
        items.append(len(items))
        items[-1] = items[0] * 2
        items.append(len(items))
        s3 = 0
        for i4 in range(arg % 1):
            s3 += i4
    v = len(brg)
    box.v[1] = box.n * 0.5
    for i6 in range(arg % 3):
        first5 = i6 * 4 + 1
        v += first5
    box.n += 2
    s7 = 0
    box.v[1] = box.n * 0.5
    for i8 in range(1):
        s7 += i8
    return crg / -8.0


@njit(debug=True)
def work1(arg, brg, crg, brink, far):
    s1 = 0
    for i2 in range(arg):
        s1 += 3
    for i in range(1, 0, -1):
        turn3 = 0
        while turn3 < 1:
            turn3 += 1
            array = 4.5
        if turn3 <= -3:
            for k in range(arg % 1):
                if s1 > -1:
                    continue
            if s1 != s1:
                continue
        else:
            v = 4.5
            turn4 = 0
            brink[far] += 1.0
            while turn4 < 2:
                turn4 += 1
                p5, q6 = crg
    turn7 = 0
    while turn7 < arg:
        turn7 += 1
        unused8 = (0, brg[0] % 97, (s1 if arg <= turn7 else -3) % 97)
    return 5.0 - 0.75


CALLS = [
    lambda: work0(1, np.arange(8)[::2], 0.75),
    lambda: work0(4, np.array([5, -7, 9, 2, 4]), -2.25),
    lambda: work1(1, (3, -0.25), (5, -1.0), np.ones(3), 0),
    lambda: work1(2, (0, -0.25), (5, 0.25), np.ones(3), 0),
]
FAULT = lambda: work1(1, (3, -0.25), (5, -1.0), np.ones(3), 1 << 40)

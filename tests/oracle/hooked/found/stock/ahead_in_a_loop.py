"""A generated program. What it found wrong once: in an unrolled loop, code of a statement ahead of the store above it, which faults."""
# ruff: noqa

import math
import numpy as np
from numba import njit, prange


@njit(debug=True)
def small0(n0):
    a1 = np.ones((2, 2))
    turn2 = 0
    while True:
        turn2 += 1
        if turn2 > 2:
            break
        a3 = np.zeros(4, dtype=np.float64)
    return n0 - turn2


@njit(debug=True)
def small1(n0):
    for j in range(0, 0, -1):
        a1 = np.array([q * 2 for q in range(4)])
    return 8


@njit(debug=True)
def work0(arg, brg, brink, far):
    if arg < -5:
        out1 = np.zeros(len(brg))
        for i2 in range(len(brg)):
            out1[i2] = brg[i2] * 0.5 + 1.0
        arg -= 4
    else:
        s3 = 0
        for i4 in range(0):
            s3 += 3
    one = (max(arg, arg), 3 * 0.5)
    f5 = -3
    for i6 in range(2):
        f5 = f5 * 0.5 + i6
    turn7 = 0
    while turn7 < 4:
        turn7 += 1
        out8 = np.zeros(len(brg))
        for i9 in range(len(brg)):
            e10 = brg[i9] * 0.5
            out8[i9] = e10 - 0.25
        brink[far] = 2.0
        a11 = np.zeros_like(brg)
    s12 = 0
    for i13 in range(2):
        s12 += 3
    s12 += 8
    turn7 -= 1
    turn14 = 0
    while True:
        turn14 += 1
        if turn14 > 2:
            break
        f5 = f5
    return f5 / 4.0


@njit(debug=True)
def work1(arg, brg, crg, drg):
    for i2 in range(arg % 2):
        first1 = i2 * 5 + 1
    sum5 = 0.0
    for r3 in range(brg.shape[0]):
        for c4 in range(2):
            sum5 += brg[r3, c4]
            brg[r3, c4] = sum5 * 0.5
    for i in range(3):
        a6 = np.zeros((2, 2))
    f7 = -3
    for i8 in range(1):
        f7 = f7 * 0.5 + i8
    s9 = 0
    for i10 in range(arg):
        s9 += 3
    sum13 = 0.0
    for r11 in range(brg.shape[0]):
        for c12 in range(2):
            sum13 += brg[r11, c12]
            brg[r11, c12] = sum13 * 0.5
    return f7 - -4.75 + sum13


CALLS = [
    lambda: work0(1, np.array([1.5, -2.0, 0.25]), np.ones(3), 0),
    lambda: work0(0, np.array([1.5, -2.0, 0.25]), np.ones(3), 0),
    lambda: work0(2, np.arange(5) * 0.75, np.ones(3), 0),
    lambda: work1(0, np.ones((2, 3)), "x", True),
    lambda: work1(1, np.ones((2, 3)), "日本語", False),
]
FAULT = lambda: work0(1, np.array([1.5, -2.0, 0.25]), np.ones(3), 1 << 40)

"""A generated program. What it found wrong once: a new array's elements where a later statement's store has made them superfluous."""
# ruff: noqa

import math
import numpy as np
from numba import njit, prange


@njit(debug=True)
def small0(n0):
    for k in range(3):
        unused1 = -1.5 - 4.0
        if k < k:
            continue
    s2 = 0
    for i3 in range(2):
        s2 += 3
    return s2 * 0.5 + n0


@njit(debug=True)
def deep(depth):
    if depth <= 0:
        return -2
    own = 2 + 1
    below = deep(depth - 1)
    return own + below


@njit(debug=True)
def work0(arg, brg, crg):
    index = (crg if arg % 2 == 0 else -1.0) / -8.0
    if arg < -7:
        s1 = 0
        for i2 in range(0):
            s1 += 3
    for i3 in range(2):
        p4, q5 = (arg % 97, small0(crg))
        s6 = 0
        for i7 in range(1):
            s6 += 3
    s8 = 0
    for i9 in range(2):
        s8 += i9
    s10 = 0
    for i11 in range(1):
        s10 += 2 * i11 + 1
    return arg + s8


@njit(debug=True)
def work1(arg, brg, crg, brink, far):
    arg -= 7
    if arg % 2 == 1:
        ret = (arg % 3, arg // 2, deep(arg % 4))
    elif arg != arg or arg % 3 == 0:
        y = small0(-2.0) + math.sqrt(abs(5.0))
    for k in range(3):
        for i1 in range(2):
            array = 1.25
        p2, q3 = brg
        s4 = 0
        for i5 in range(0):
            s4 += 2 * i5 + 1
    a6 = np.arange(3)
    a6[1] += 6
    f7 = 0
    for i8 in range(2):
        f7 = f7 * 0.5 + i8
    brink[far] += 1.0
    for i in range(1, 0):
        arg = a6[arg % len(a6)] % 97
    return len(a6) + arg


@njit(debug=True, parallel=True)
def spread(rows, cells, k, scale):
    w1 = rows * 2.0 + rows
    out2 = np.ones(len(rows))
    for i in prange(len(rows)):
        if k != k:
            v3 = scale if i == i else scale
        else:
            v4 = k == k
        line = 0.0
        for j in prange(3):
            part = cells[i, j] * 0.5
            unused5 = scale * scale
            line += part
        out2[i] = line
    v6 = 5 * k % 97
    out7 = np.zeros_like(rows)
    v10 = -9 // 3
    for i in prange(rows.shape[0]):
        here = out2[i] * scale
        if scale != scale:
            v8 = scale if here <= scale else here
        else:
            v9 = -2.75 / 4.0
        out7[i] = 0.0
    top = w1[0] + out2[0] + out7[0]
    return top


CALLS = [
    lambda: work0(2, "日本語", 0.0),
    lambda: work0(4, "x", -2.5),
    lambda: work1(5, (5, 1.0), (3, -0.5), np.ones(3), 0),
    lambda: work1(4, (2, -0.25), (-2, 1.0), np.ones(3), 0),
    lambda: work1(0, (0, 0.0), (1, 1.0), np.ones(3), 0),
    lambda: spread(np.arange(7) * 0.5, np.arange(21.0).reshape(7, 3), 2, 1.5),
]
FAULT = lambda: work1(5, (5, 1.0), (3, -0.5), np.ones(3), 1 << 40)

"""A generated program. What it found wrong once: a test of a loop above that had the line of the `return`."""
# ruff: noqa

import math

import numpy as np
from numba import njit, prange


@njit(debug=True)
def work0(arg, brg, crg):
    a1 = np.array([q * 2 for q in range(3)])
    ret = arg
    index = -4.75
    for k in range(4):
        try:
            crg = (max(k, 6), crg[1])
            if brg % 2 == 1:
                raise IndexError("no")
            a2 = np.zeros((2, 2))
        except Exception:
            size = (brg - (arg) if ret % 3 == 1 else crg[0]) % 97
        try:
            best = index != index
            if best:
                raise IndexError("no")
            ret = len(a1)
        except Exception:
            index = crg[1]
    turn3 = 0
    while True:
        turn3 += 1
        if turn3 > 1:
            break
        for j in range(arg % 2, 0, -1):
            a4 = np.array([-3.0, -4.5, -1.5])
            turn5 = 0
            while turn5 < brg % 0:
                turn5 += 1
                left = ((a1[1]) % 97, crg[1])
            for k in range(brg % 2):
                unused6 = ((crg[0]) % 97, (j + (1)) % 97, (a1[arg % len(a1)]) % 97)
    return index


@njit(debug=True, parallel=True)
def spread(rows, cells, k, scale):
    out1 = np.ones(len(rows))
    total5 = 0
    for i in prange(1, len(rows)):
        here = rows[i] * scale
        if i % 3 == 1:
            v2 = (k) * (-3) % 97
        else:
            v3 = i + (k)
        unused4 = math.sqrt(abs(here))
        out1[i] = 2.5
        total5 += i
    w6 = np.sqrt(np.abs(rows))
    out7 = np.ones(len(rows))
    for i in prange(rows.shape[0]):
        if i <= 8:
            v8 = (i) * (1) % 97
        else:
            v9 = 6
        s10 = 0
        for i11 in range(2):
            s10 += k
        line = 0.0
        for j in prange(cells.shape[1]):
            part = cells[i, j] * 0.5
            line += part
        unused12 = (2, min(-1, -5), (i) // 2)
        f13 = -1
        for i14 in range(k % 2):
            f13 = f13 * 0.5 + i14
        out7[i] = line
    out15 = np.zeros(len(rows))
    if scale > scale:
        for i in prange(rows.shape[0]):
            out15[i] += rows[i] * 2.0
    v17 = k % 3 == 1
    top = out1[0] + w6[0] + out7[0] + out15[0] + total5
    return top


CALLS = [
    lambda: work0(0, 0, (0, -1.75)),
    lambda: work0(5, -3, (-2, 1.25)),
    lambda: spread(np.arange(5) * 0.5, np.arange(15.0).reshape(5, 3), 4, 1.5),
]

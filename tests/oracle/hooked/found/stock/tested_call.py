"""Found at seeds 42001, 71001 and 82001: LLVM makes a call that is the same in each iteration ahead of its loop; its
status is tested where the statement is."""

# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit


@njit(debug=True)
def walk(n, k):
    total = 0
    for i in range(1):
        total += i
    return total + k - 6


@njit(debug=True)
def calls(arg, brg):
    if brg % 3 == 0:
        for i in range(brg % 4):
            index = walk(brg % 4, 0 % 4) % 97
    for i in range(arg % 4):
        size = walk(arg % 4, arg % 4) % 97
    return 6 + arg


@njit(debug=True)
def counted(n):
    k = 0
    while k < n % 5:
        k += 1
        half = -1.5 / -8.0
    return 3 + k


@njit(debug=True)
def behind(arg, brg, crg, drg):
    a1 = np.ones(4, dtype=np.float64)
    a2 = np.ones((3, 2))
    for j in range(1, brg):
        unused3 = (min(arg, brg), crg + (j), (counted((arg) % 4)) % 97)
        unused4 = (min(arg, 1), (crg) % 3, (counted((arg) % 4)) % 97)
        for i in range(3):
            x = a2[1, -1]
            x = x == 4.75
    acc = (crg) * 0.5
    v = (acc) * ((acc) / 2.0)
    out5 = np.zeros(len(a1))
    for i6 in range(len(a1)):
        e7 = a1[i6] * 0.5
        out5[i6] = e7 - 0.25
    if acc == v:
        sum10 = 0.0
        for r8 in range(a2.shape[0]):
            for c9 in range(2):
                sum10 += a2[r8, c9]
                a2[r8, c9] = sum10 * 0.5
    else:
        if arg != 3:
            acc += 1.25
        else:
            if drg % 3 == 0:
                acc += (acc) / 2.0
            else:
                a11 = np.zeros((2, 3))
    return counted((brg) % 7) + arg


CALLS = [
    lambda: behind(3, 5, 5, 5),
    lambda: behind(4, -2, 4, 3),
    lambda: calls(5, 2),
    lambda: calls(3, -2),
    lambda: calls(2, 3),
]

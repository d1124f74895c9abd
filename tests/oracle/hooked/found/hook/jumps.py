# ruff: noqa: B007, F841, UP034
"""What generated programs found wrong once, in GDB alone: a line that two jumps lead to, and one that the last
references are dropped on."""

import numpy as np
from numba import njit


@njit(debug=True)
def joined(arg, brg, crg, drg):
    a1 = np.zeros(4, dtype=np.int64)
    if arg % 2 == 1:
        p2, q3 = a1[brg % len(a1)], (0.25) - (-5.0)
    else:
        for i4 in range(2):
            y = ((arg if drg <= i4 else drg), (-6) * 0.5)
            z = brg > drg
    for j in range(arg):
        s5 = 0
        for i6 in range(3):
            s5 += drg
        for i in range(arg % 2):
            size = -1.5 if arg == 4 else -0.5
    a7 = np.zeros_like(a1)
    return (arg) * (arg) % 97 + brg


@njit(debug=True)
def turning(n0):
    turn1 = 0
    while True:
        turn1 += 1
        if turn1 > 3:
            break
        if turn1 > n0:
            break
        a2 = np.ones(3, dtype=np.int64)
    return -7 + turn1


@njit(debug=True)
def before(arg, brg):
    for j in range(4):
        s1 = 0
        for i2 in range(arg % 4):
            s1 += 2 * i2 + 1
    if brg == "no":
        raise ValueError("no")
    return len(brg) + arg


CALLS = [
    lambda: joined(1, -2, (0, 1.75), 3),
    lambda: joined(-1, -2, (-1, 2.0), 4),
    lambda: turning(1),
    lambda: turning(0),
    lambda: before(1, "yes"),
    lambda: before(5, "no"),
]

"""Unoptimised code in a loop, of the line behind the loop; a line's code that optimised code runs before all others."""

# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)

import math

import numpy as np
from numba import njit


@njit(debug=True)
def small(n):
    p1, q2 = n, -3.0
    return min(n, -6) + p1


@njit(debug=True)
def behind(arg, brg):
    for i in range(4, 0, -1):
        y = -5
        if i == -1 or arg % 2 == 1:
            u = (max(arg, brg), 1, (y // -2) % 97)
        else:
            try:
                size = y % 3 == 1
                if arg != arg:
                    raise ValueError("no")
                x = math.sqrt(abs((-1.5) * (-4.0)))
            except Exception:
                z = small(y % 4)
    return 2.5


@njit(debug=True)
def handled(arg, brg):
    f1 = -2
    for i2 in range(0):
        f1 = f1 * 0.5 + i2
    try:
        u = (-7 - (3), arg * 0.5)
        if arg % 3 == 1:
            raise ValueError("no")
        z = 3.75
    except Exception:
        a7 = np.ones(5, dtype=np.float64)
    f1 = 4
    out8 = np.zeros(len(brg))
    for i9 in range(len(brg)):
        e10 = brg[i9] * 0.5
        out8[i9] = e10 - 0.25
    return small(2 % 7) + f1


@njit(debug=True)
def ahead(arg, brg):
    p1, q2 = arg * (-4) % 97, 0.5 * 2.25
    for i3 in range(3):
        best = -4
    p1 += arg
    unused4 = len(brg)
    s5 = 0
    for i6 in range(arg):
        s5 += i6
    try:
        y = s5 > p1
        if p1 % 2 == 0:
            raise ValueError("no")
        brg = brg.upper()
    except Exception:
        p1 = -2
    s7 = 0
    for i8 in range(4):
        s7 += arg
    return 5.0 - 4.75 + q2


CALLS = [
    lambda: behind(-3, 3),
    lambda: behind(-2, -2),
    lambda: handled(4, np.arange(5) * 0.75),
    lambda: handled(3, np.arange(5) * 0.75),
    lambda: ahead(-3, "日本語"),
    lambda: ahead(0, "日本語"),
]

"""Found at seeds 61001 and 82001: code with a jump table was not followed, and nothing of it was judged."""

# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit


@njit(debug=True)
def halve(n, x):
    k = 0
    while k < n:
        k += 1
    return k % 2 * 0.5 + x


@njit(debug=True)
def chosen(arg, brg, crg):
    if arg == brg:
        for i in range(3):
            v = halve(arg % 7, 3.25) % 7
        if len(crg) > 2:
            j = 0
            while j < brg:
                j += 1
            j += brg
        elif brg % 2 == 1:
            s = 0
            for i in range(brg):
                s += 2 * i + 1
    else:
        f = -1
        for i in range(arg % 3):
            f = f * 0.5 + i
        left = halve(-6 % 4, f)
    a = np.array([0.0, -3.0, -1.0, -1.5])
    return a[brg % len(a)]


@njit(debug=True)
def kinds(kind, a, b):
    scale = a + 1
    if kind == 0:
        r = a + b
    elif kind == 1:
        r = a - b * scale
    elif kind == 2:
        r = a * b - 3
    elif kind == 3:
        r = a ^ b
    elif kind == 4:
        r = a << 2
    elif kind == 5:
        r = (a | b) * 17
    else:
        r = -1
    out = r * scale
    return out


CALLS = [
    lambda: chosen(-1, -1, "x"),
    lambda: chosen(5, 2, "hello"),
    lambda: chosen(0, 0, "日本語"),
    lambda: kinds(3, 5, 9),
    lambda: kinds(5, 2, 7),
    lambda: kinds(9, 2, 7),
]

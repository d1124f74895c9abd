# ruff: noqa: B007, F841 (as generated programs are)
"""LLVM looks for an exception once, ahead of the loops, for a `try` in them."""

import math

import numpy as np
from numba import njit


@njit(debug=True)
def looked(arg, brg, crg, drg, brink, far):
    turn1 = 0
    while turn1 < arg % 5:
        turn1 += 1
        view2 = crg[:]
        turn3 = 0
        brink[0] = brink[far] + 1.0
        while True:
            turn3 += 1
            if turn3 > 3:
                break
            if drg != 2.75:
                view4 = crg[:]
            else:
                index = -8
            try:
                a5 = np.zeros(3, dtype=np.float64)
                if arg % 2 == 1:
                    raise IndexError("no")
                a6 = np.ones((2, 2))
            except Exception:
                a7 = np.array([q * 0.5 for q in range(4)])
    view8 = crg[::-1]
    w = (turn1 - arg, turn1, arg // 2)
    p9, q10 = (turn1 + arg, math.sqrt(abs(brg)))
    turn11 = 0
    while True:
        turn11 += 1
        if turn11 > 0:
            break
        p9 -= drg
        p9 -= turn11
    return q10 + drg


CALLS = [
    lambda: looked(4, 1.5, np.arange(4) - 2, 1.25, np.ones(3), 0),
    lambda: looked(0, -0.5, np.arange(4) - 2, 0.75, np.ones(3), 0),
    lambda: looked(2, -2.75, np.arange(4) - 2, -1.0, np.ones(3), 0),
]
FAULT = lambda: looked(4, 1.5, np.arange(4) - 2, 1.25, np.ones(3), 1 << 40)  # noqa: E731

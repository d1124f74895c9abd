"""Found at seed 95001 and NUMBA_OPT=3: LLVM takes one store to an attribute for those of a branch and of what follows
it, moves it ahead of the branch's test, and gives it no line."""

# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import float64, int64, njit
from numba.experimental import jitclass


@jitclass([("n", int64), ("v", float64[:])])
class Box:
    def __init__(self, n):
        self.n = n
        self.v = np.zeros(2)


@njit(debug=True)
def work0(arg, brg, brink, far):
    box = Box(3)
    reals = [0.5]
    u = -1.75
    try:
        a1 = np.ones((3, 2))
        if arg < -4:
            box.n += 2
            raise IndexError("no")
        box.n += 2
        reals[0] = reals[-1] - 1.5
        zero = u
    except Exception:
        v = u / 4.0
    if u < -5.0:
        reals[0] = reals[-1] - 1.5
        reals.append(reals[0] * 0.5)
        box.n += 2
        if brink[far] > 2.0:
            brink[0] = 3.0
        a2 = np.zeros(3, dtype=np.int64)
    return 6 + arg


CALLS = [
    lambda: work0(4, np.ones((2, 3)), np.ones(3), 0),
    lambda: work0(5, np.arange(6.0).reshape(3, 2), np.ones(3), 0),
]

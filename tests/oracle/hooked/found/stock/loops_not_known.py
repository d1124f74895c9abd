# ruff: noqa: B007, F841 (as generated programs are)
"""A fault behind a loop that stores, in a function whose loops jitscope cannot find in its code."""

import numpy as np
from numba import int64, njit
from numba.experimental import jitclass


@jitclass([("n", int64)])
class Box:
    def __init__(self, n):
        self.n = n


@njit(debug=True)
def stores(arg, brg, brink, far):
    table = {1: 0.5}
    box = Box(3)
    brg[1] = (arg + 8) % 97
    for item in brg:
        for i in range(arg % 3):
            if brink[far] > 2.0:
                brink[0] = 3.0
            first = i * 3 + 1
    for j in range(arg, 0, -1):
        for k in range(1, 3):
            table[1] += 0.25
            brg[k % len(brg)] += 8
        table[len(table)] = 2.5
        for i in range(arg % 1):
            table[1] += 0.25
    return 6 + arg


CALLS = [
    lambda: stores(5, np.arange(4) - 2, np.ones(3), 0),
    lambda: stores(3, np.arange(4) - 2, np.ones(3), 0),
]
FAULT = lambda: stores(2, np.array([5, -7, 9, 2, 4]), np.ones(3), 1 << 40)  # noqa: E731

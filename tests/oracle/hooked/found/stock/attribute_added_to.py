# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)
"""Where LLVM has unrolled the loop, it makes one store of the loop's last one and of that behind it."""

import numpy as np
from numba import float64, int64, njit
from numba.experimental import jitclass


@jitclass([("count", int64), ("parts", float64[:])])
class Box:
    def __init__(self, count):
        self.count = count
        self.parts = np.zeros(2)


@njit(debug=True)
def added(limit, rate, cells):
    box = Box(3)
    for i in range(2, 0, -1):
        for j in range(3):
            if rate != -4.0:
                continue
            cells[i % len(cells)] += 9
        box.count += 2
        total = 0
        for k in range(limit % 4):
            total += 2 * k + 1
    turn = 0
    box.count += 2
    while turn < limit:
        box.parts[1] = box.count * 0.5
        turn += 1
    cells[-1] += 1
    return turn - limit


CALLS = [
    lambda: added(3, 2.0, np.arange(5)),
    lambda: added(5, -4.0, np.arange(5)),
]
FAULT = None

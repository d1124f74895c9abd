"""Found at seed 71001: LLVM makes a floor division of a remainder, which DWARF takes without a sign."""

import numpy as np
from numba import njit


@njit(debug=True)
def work1(arg, brg, brink, far):
    _a1 = np.zeros((2, 3))
    y = max(brg, brg) // 3
    s2 = 0
    for _ in range(arg):
        s2 += 3
    a4 = np.zeros(6, dtype=np.float64)
    for _ in a4:
        f6 = 1
        for i7 in range(arg % 2):
            f6 = f6 * 0.5 + i7
    brink[0] = brink[far] + 1.0
    for _ in a4:
        y = arg % 2 if arg > s2 else -7 + -5
    left = y
    return brg + left


CALLS = [
    lambda: work1(2, -4, np.ones(3), 0),
    lambda: work1(3, -5, np.ones(3), 0),
    lambda: work1(3, 5, np.ones(3), 0),
]

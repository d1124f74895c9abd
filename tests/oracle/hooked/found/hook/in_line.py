"""What generated programs found wrong once: calls on a function's first line that are put in line."""

import numpy as np
from numba import njit


@njit(debug=True)
def least(arg, brg, crg):
    best = (arg, (-7 if brg else arg), min(arg, -6))
    word = "bc"
    count = 0
    while count < 3:
        count += best[2] + 9
    return count + len(word) + crg.shape[0]


@njit(debug=True)
def bounded(arg, brg, crg):
    low, high = max(arg, brg), min(abs(arg), len(crg))
    total = 0
    for item in crg:
        total += min(item, high) + low
    return total


CALLS = [
    lambda: least(0, False, np.ones((2, 3))),
    lambda: least(4, True, np.ones((1, 3))),
    lambda: bounded(-3, 2, np.arange(4)),
]

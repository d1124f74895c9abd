"""What generated programs found wrong once: a function's first line with calls that are inlined,
and with divisions by a number."""

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


@njit(debug=True)
def part(arg, brg, flag):
    rest = -3.0
    v = (arg % 7) // -2
    rest += len(brg)
    return rest + v + (1 if flag else 2)


@njit(debug=True)
def third(arg, brg):
    y = (arg + arg) % 3
    y += 7
    if arg == arg:
        if brg:
            y += 1
    return y


CALLS = [
    lambda: least(0, False, np.ones((2, 3))),
    lambda: least(4, True, np.ones((1, 3))),
    lambda: bounded(-3, 2, np.arange(4)),
    lambda: part(-2, np.ones(3), True),
    lambda: third(2, False),
]

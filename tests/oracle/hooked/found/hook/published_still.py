# ruff: noqa: B007, F841, E731, PLR0124 (as generated programs are)
"""Code of a loop's header among that of a `raise` in its body, whose variables are still published."""

import numpy as np
from numba import njit


@njit(debug=True)
def work0(arg, brg, brink, far):
    turn1 = 0
    while True:
        turn1 += 1
        if turn1 > 2:
            break
        x = 4.0 if turn1 != turn1 else 1.25
        brink[far] = 2.0
        x += 1.25 / 4.0
    turn1 += arg
    turn1 -= arg
    turn2 = 0
    while turn2 < arg:
        turn2 += 1
        try:
            size = turn2
            if turn1 % 3 == 0:
                raise IndexError("no")
            index = "two words"
        except Exception:
            u = -1.0 / 4.0 * (-4.0 - 2.75)
    unused3 = (-1, arg * turn1 % 97, arg % 7)
    for k in range(0, 0, -1):
        try:
            acc = -1.25 if turn2 % 2 == 1 else 0.75
            if turn2 % 3 == 0:
                raise IndexError("no")
            a4 = np.zeros(4, dtype=np.int64)
        except Exception:
            turn1 = arg
    s5 = 0
    for i6 in range(2):
        s5 += 2 * i6 + 1
    return (s5 if turn1 == arg else s5) + turn2


CALLS = [
    lambda: work0(4, (-1, 1.25), np.ones(3), 0),
    lambda: work0(0, (2, -1.0), np.ones(3), 0),
    lambda: work0(5, (0, 0.75), np.ones(3), 0),
]
FAULT = lambda: work0(4, (-1, 1.25), np.ones(3), 1 << 40)

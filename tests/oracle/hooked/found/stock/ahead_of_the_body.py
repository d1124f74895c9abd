# ruff: noqa: B007, F841 (as generated programs are)
"""The header of a loop in a loop, part of which LLVM computes ahead of both."""

import numpy as np
from numba import njit


@njit(debug=True)
def scanned(arg, brg, brink, far):
    table = {1: 0.5}
    seen = {5}
    view1 = brg[-1]
    index = arg
    turn2 = 0
    while turn2 < arg % 5:
        seen.discard(5)
        brink[far] += 1.0
        turn2 += 1
        seen.discard(5)
        if index <= 9 or turn2 <= 6:
            view1[turn2 % len(view1)] = 3.75 / 2.0
        else:
            seen.discard(5)
            if index % 3 == 1:
                for i4 in range(arg % 2):
                    table[len(table)] = 2.5
                    first3 = i4 * 5 + 1
                    index += first3
            else:
                if index > arg:
                    break
                if arg % 3 == 0:
                    table[len(table)] = 2.5
                    break
        out5 = np.zeros(len(view1))
        for i6 in range(len(view1)):
            e7 = view1[i6] * 0.5
            out5[i6] = e7 - 0.25
    p8, q9 = (len(view1), brg[0, 0])
    q9 = view1[p8 % len(view1)]
    turn10 = 0
    while turn10 < arg:
        turn10 += 1
        for i12 in range(arg % 4):
            first11 = i12 * 3 + 1
            table[1] += 0.25
            turn2 += first11
    return -1 + arg


CALLS = [
    lambda: scanned(-2, np.ones((2, 3)), np.ones(3), 0),
    lambda: scanned(1, np.ones((2, 3)), np.ones(3), 0),
    lambda: scanned(-2, np.ones((2, 3)), np.ones(3), 0),
]
FAULT = lambda: scanned(-2, np.ones((2, 3)), np.ones(3), 1 << 40)  # noqa: E731

"""Found at seed 91001: in a loop that LLVM unrolls, the first test of `np.zeros` is made ahead of the store of a
statement above it, which faults."""

# ruff: noqa: E731, F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit


@njit(debug=True)
def work0(arg, brg, crg, brink, far):
    arg += 1
    for i1 in range(3):
        for i3 in range(3):
            first2 = i3 * 4 + 1
            brink[far] = 2.0
            arg += first2
        if i1 == i1 or arg != 1:
            ret = "xyz"
            out4 = np.zeros(len(brg))
            for i5 in range(len(brg)):
                e6 = brg[i5] * 0.5
                out4[i5] = e6 - 0.25
    if arg % 3 == 0:
        array = (-2, 1, max(-2, arg))
        out7 = np.zeros(len(brg))
        for i8 in range(len(brg)):
            e9 = brg[i8] * 0.5
            out7[i8] = e9 - 0.25
    else:
        arg += 4
        if arg <= 7:
            turn10 = 0
            while turn10 < 4:
                turn10 += 1
                unused11 = crg[0, 0]
        else:
            arg += 1
    return arg * 0.5


CALLS = [
    lambda: work0(4, np.array([1.5, -2.0, 0.25]), np.arange(6.0).reshape(3, 2), np.ones(3), 0),
    lambda: work0(-1, np.arange(5) * 0.75, np.ones((2, 3)), np.ones(3), 0),
]
FAULT = lambda: work0(4, np.array([1.5, -2.0, 0.25]), np.arange(6.0).reshape(3, 2), np.ones(3), 1 << 40)

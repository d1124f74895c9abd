"""A generated program. What it found wrong once: a statement behind a test, in a vectorised loop that runs it whichever way the test goes."""
# ruff: noqa

import math

import numpy as np
from numba import njit, prange


@njit(debug=True)
def work0(arg, brg):
    a1 = np.zeros((2, 3))
    for item2 in brg:
        for j in range(1, 2):
            if arg <= j:
                a1[0, 1] = brg[j % len(brg)]
                a1[0, 1] = -2.0
            else:
                left = (arg) * 0.5
        arg += 2
    out3 = np.zeros(len(brg))
    for i4 in range(len(brg)):
        e5 = brg[i4] * 0.5
        out3[i4] = e5 - 0.25
    if arg > 0:
        for i6 in range(4):
            a1[1, 0] = (-2.75) * (2.75)
            for i8 in range(0):
                first7 = i8 * 4 + 1
                arg += first7
    return arg


CALLS = [
    lambda: work0(-3, np.linspace(0.0, 4.0, 9)),
    lambda: work0(-2, np.arange(5) * 0.75),
    lambda: work0(3, np.linspace(0.0, 4.0, 9)),
]

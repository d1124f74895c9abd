# ruff: noqa: F841 (what is assigned need not be read to be shown)
"""A variable has a constant where a loop does not run. LLVM computes the root of what follows from it, and says that
this is the variable's value."""

import math

import numpy as np
from numba import njit


@njit(debug=True)
def halved(count, other, marks):
    part = -2
    for i in range(count):
        part = part * 0.5 + i
    made = np.zeros((2, 3))
    share = part / -8.0
    both = (count, share if share > other else other)
    if marks[0] > 2.0:
        marks[0] = 3.0
    return math.sqrt(abs(share)) + other


CALLS = [
    lambda: halved(5, -3.0, np.ones(3)),
    lambda: halved(-1, 1.75, np.ones(3)),
    lambda: halved(-2, -0.75, np.ones(3)),
]
FAULT = None

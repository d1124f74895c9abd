# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)
"""LLVM makes one store under a mask of a loop's few iterations: the code is run whether or not any of them
gets to the store."""

import math

import numpy as np
from numba import njit


@njit(debug=True)
def masked(low, count, name, marks):
    first = marks[0, -1] * -3.5
    for i in range(4):
        for j in range(count % 3):
            try:
                pair = (i % 97, -4.0 + first)
                if first <= -3.5:
                    raise ValueError("no")
                made = np.array([1.5, -3.0, first, 0.5])
            except Exception:
                size = (-3.75 - -2.5) / 4.0
            if first == first:
                least, most = (min(low, count), first)
            else:
                if first != first:
                    continue
                first += math.sqrt(abs(first))
            if i % 2 == 1:
                is_left = first <= 2.5
            else:
                if j < count:
                    continue
                marks[0, 1] = first
    last = (-2 // -2, low, count % 2)
    return math.sqrt(abs(first))


CALLS = [
    lambda: masked(-3, -3, "a", np.ones((2, 3))),
    lambda: masked(-2, 2, "b", np.ones((2, 3))),
    lambda: masked(1, -1, "c", np.ones((2, 3))),
]
FAULT = None

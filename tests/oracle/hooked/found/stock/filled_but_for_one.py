# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)
"""A new array is filled but for the element that a statement below stores to. LLVM computes what a loop leaves there,
and stores it without a line; a function that is inlined stores at the line of its call."""

import numpy as np
from numba import njit


@njit
def put(into, what):
    into[1] = what


@njit(debug=True)
def folded(flag, text, pairs, count):
    made = np.array([count, count, 14, count])
    turn = 0
    for k in range(count):
        for again in range(2):
            made[-1] += 4
    for turn in range(3):
        if flag <= 7:
            for i in range(count % 1, 0, -1):
                index = (count, 2.75)
        else:
            other = np.array([q * 0.5 for q in range(5)])


@njit(debug=True)
def called(flag, text, pairs, count):
    made = np.array([count, count, 14, count])
    turn = 0
    put(made, count % 3)
    for turn in range(3):
        if flag <= 7:
            for i in range(count % 1, 0, -1):
                index = (count, 2.75)
        else:
            other = np.array([q * 0.5 for q in range(5)])


CALLS = [
    lambda: folded(2, "text", np.ones((2, 3)), 5),
    lambda: folded(9, "text", np.ones((2, 3)), -3),
    lambda: called(2, "text", np.ones((2, 3)), 5),
    lambda: called(9, "text", np.ones((2, 3)), -3),
]
FAULT = None

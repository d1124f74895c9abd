# ruff: noqa: F841 (what is assigned need not be read to be shown)
"""LLVM makes both negative constants of the sum positive, and goes on to call the first product `best`."""

import numpy as np
from numba import njit


@njit(debug=True)
def negated(count, rate):
    best = (rate / 4.0) / -8.0
    try:
        first = np.zeros(3)
        if rate != rate:
            raise IndexError("no")
        second = np.ones(3)
    except Exception:
        rest = ((-3) // 3) % 2
    least, kept = -4, best
    return kept * -3.75 + rate


CALLS = [
    lambda: negated(-2, 0.75),
    lambda: negated(-2, 2.0),
    lambda: negated(-2, -2.75),
]
FAULT = None

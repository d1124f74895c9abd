# ruff: noqa: F841 (what is assigned need not be read to be shown)
"""LLVM puts the loop's own count among the stores that publish the variables of a `raise` (level exact)."""

import numpy as np
from numba import njit


@njit(debug=True)
def raising(count, cells, rate):
    first, share = count, 2.75
    turn = 2
    for k in range(1, count):
        share = rate * share + 1.25
        try:
            share = share
            if rate != -0.5:
                raise IndexError("no")
            turn = (min(count, turn) // -2) % 97
        except Exception:
            share = (share if first != k else 3.75) / 4.0
    made = np.zeros(len(cells))
    for i in range(len(cells)):
        part = cells[i] * rate
        made[i] = part - 0.25
    return share / -8.0 + rate


CALLS = [
    lambda: raising(-3, np.linspace(0.0, 4.0, 9), -0.25),
    lambda: raising(4, np.array([1.5, -2.0, 0.25]), 2.75),
]
FAULT = None

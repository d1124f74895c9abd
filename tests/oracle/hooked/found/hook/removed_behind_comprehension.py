# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)
"""Numba removes line 16 and renames the blocks of the loop: its line began where the loop is entered, which it need
not be."""

import numpy as np
from numba import njit


@njit(debug=True)
def twice(count, items):
    for _, item in enumerate(items):
        turn = 0
        while turn < count % 3:
            turn += 1
            made = np.array([q * 2 for q in range(3)])
            pair, other = (count + -5, item)
    return 3.5


CALLS = [lambda: twice(1, np.ones(3)), lambda: twice(0, np.ones(3))]
FAULT = None

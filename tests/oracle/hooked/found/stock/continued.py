# ruff: noqa: B007 (what is assigned need not be read to be shown)
"""LLVM makes one jump of those that end the arms of a test, with the line of the `continue` in one of them. Where the
test is taken out of the loop, the code of the other arm ends with that jump, too."""

import numpy as np
from numba import njit


@njit(debug=True)
def small(unused):
    total = 0
    for i in range(4):
        total += i
    return total


@njit(debug=True)
def parted(count, brg):
    seen = {5}
    both = (np.zeros(2), [1.5])
    seen.add(len(seen) * 3)
    for i in range(4):
        both[1][0] = 2.5
        if count % 2 == 1:
            both[0][0] += 1.0
            continue
    return small(0.75) + count


CALLS = [lambda: parted(5, np.arange(4)), lambda: parted(2, np.arange(4))]
FAULT = None

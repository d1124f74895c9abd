r"""
report: pydata/sparse#515
what: The array of positions is empty, so that the last position is -1 and the write goes before the array.
then: set environment NUMBA_BOUNDSCHECK 1
then: jit catch IndexError
then: run
cause: `position` = -1 is outside axis 0 of `positions` \(0 elements\)
"""

import numpy as np
from numba import njit


@njit
def convert(indices, positions):
    position = len(indices) - 1
    for i in range(len(indices)):
        positions[i] = indices[i]
    positions[position] = 7
    return positions


convert(np.zeros(0, np.int64), np.zeros(0, np.int64))

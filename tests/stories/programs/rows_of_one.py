r"""
report: librosa/librosa#2005
what: A single row is treated as if it had a row above it, and memory before the array is written.
then: set environment NUMBA_BOUNDSCHECK 1
then: jit catch IndexError
then: run
cause: index 1 is outside axis 0 of `pointers` \(1 element\)
"""

import numpy as np
from numba import njit


@njit
def accumulate(scores, pointers):
    pointers[0, :] = 0
    pointers[1, :] = 1
    for j in range(scores.shape[1]):
        scores[1, j] = scores[0, j] + 1
    return scores


for _ in range(1000):
    accumulate(np.random.rand(1, 8), np.zeros((1, 8), np.int64))

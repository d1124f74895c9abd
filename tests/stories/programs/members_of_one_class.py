r"""
report: numba/numba#5148
what: The loop over a jitclass's array goes beyond another of its arrays, which is shorter.
cause: `i` = \d+ is outside axis 0 of `self\.heights` \(20 elements\)
never: of `w`
"""

import numpy as np
from numba import float64, int64
from numba.experimental import jitclass


@jitclass([("c", float64[:, :]), ("heights", float64[:]), ("n", int64)])
class Table:
    def __init__(self, n):
        self.c = np.zeros((n, 3))
        self.heights = np.ones(20)
        self.n = n

    def fill(self, w):
        for i in range(self.n):
            self.c[i, 1] = self.heights[i] * w[0]


Table(20000000).fill(np.ones(4))

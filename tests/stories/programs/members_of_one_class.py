r"""
report: numba/numba#5148
what: The loop over a jitclass's array goes beyond another of its arrays.
cause: `i` = \d+ is outside axis 0 of `self\.(c|hj)`
never: of `w`
"""

import numpy as np
from numba import float64, int64
from numba.experimental import jitclass


@jitclass([("c", float64[:, :]), ("n", int64)])
class Table:
    def __init__(self, n):
        self.c = np.zeros((20, 3))
        self.n = n

    def fill(self, w):
        for i in range(self.n):
            self.c[i, 1] = w[0] * 2


Table(100000000).fill(np.ones(4))

r"""
report: numba/numba#8194
what: A method of a jitclass reads an array that __init__ has not set.
cause: `self\.Xty` was never set
never: of `Xw`
never: of `X`
"""

import numpy as np
from numba import float64
from numba.experimental import jitclass


@jitclass([("Xty", float64[:])])
class Quadratic:
    def __init__(self):
        pass

    def gradient(self, X, Xw, j):
        s = (X[:, j] * Xw).sum()
        return (s - self.Xty[j]) / len(Xw)


Quadratic().gradient(np.ones((2, 5)), np.zeros(2), 0)

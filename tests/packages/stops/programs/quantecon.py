"""Pivots of the complementary and the simplex method, which compiled functions call."""

import sys

import numpy as np
from quantecon.optimize import pivoting

SOURCE = pivoting.__file__
lemke = sys.modules["quantecon.optimize.lcp_lemke"]
INTERPRETED = [pivoting, lemke]
M, Q = np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([-8.0, -2.0])

CALLS = [lambda: tuple(lemke.lcp_lemke(M, Q))]

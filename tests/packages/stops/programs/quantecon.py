"""Pivots of the complementary and the simplex method, which compiled functions call."""

import sys

import numpy as np
import quantecon as qe
from quantecon.optimize import pivoting

SOURCE = pivoting.__file__
INTERPRETED = [pivoting, sys.modules["quantecon.optimize.lcp_lemke"]]
M = np.array([[1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, 2.0, 1.0]])
Q = np.array([-8.0, -12.0, -14.0])


def lemke():
    return qe.optimize.lcp_lemke(M, Q).z


CALLS = [lemke]

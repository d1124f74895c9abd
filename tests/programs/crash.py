"""Scenario C: an index far outside; run with NUMBA_BOUNDSCHECK=0."""

import numpy as np
from numba import njit


@njit(debug=True)
def foo(a, index):
    b = a + 1
    c = a * 2.34
    d = c[index]  # at: crash
    print(a, b, c, d)


r = foo(np.arange(10.0), int(1e9))  # at: call

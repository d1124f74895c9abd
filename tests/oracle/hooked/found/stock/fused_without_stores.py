"""Numba fuses two array expressions: on line 10 the first array has the elements of the current iterations."""

import numpy as np
from numba import njit


@njit(debug=True, parallel=True)
def spread(rows, scale):
    first = rows * scale + 1.0
    second = first * 2.0 + first
    top = first[0] + second[0]
    return top


CALLS = [lambda: spread(np.arange(7) * 0.5, 1.5)]
FAULT = None

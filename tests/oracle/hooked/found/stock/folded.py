"""LLVM computes `q / 2` for both constants, and says that q is the result."""

import numpy as np
from numba import njit


@njit(debug=True)
def halved(n, items):
    first, q = (items[n % len(items)], 0.25 if n < -4 else 2.5)
    count = 0
    while count < 3:
        count += 1
        items[n % len(items)] += 2 + 0 * first
    return q / 2.0


CALLS = [lambda: halved(5, np.array([5, -7, 9, 2, 4])), lambda: halved(2, np.arange(4) - 2)]

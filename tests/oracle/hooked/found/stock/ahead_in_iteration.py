"""The test's code comes ahead of the store above it, in each iteration."""

import numpy as np
from numba import njit


@njit(debug=True)
def counted(n, out, far):
    table = {1: 0.5}
    count = 0
    while True:
        out[0] = out[far] + 1.0
        count += 1
        if count > 2:
            break
        table[1] += 0.25
    return count + n


def at_fault():
    return counted(-3, np.ones(3), 1 << 40)


CALLS = [lambda: counted(-3, np.ones(3), 0), lambda: counted(1, np.ones(3), 1)]
FAULT = at_fault

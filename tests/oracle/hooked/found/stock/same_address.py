"""A store that is made once a loop has the address of another that its statement makes."""

import numpy as np
from numba import njit


@njit(debug=True)
def stored(n, items, out, far):
    for item in items:
        count = 0
        while True:
            out[far] = 2.0
            count += 1
            if count > 2:
                break
            if n == 2:
                items[1] = count % 3
        if item <= item:
            continue
    return n


def at_fault():
    return stored(5, np.arange(4) - 2, np.ones(3), 1 << 40)


CALLS = [lambda: stored(5, np.arange(4) - 2, np.ones(3), 0), lambda: stored(3, np.array([5, -7, 9]), np.ones(3), 0)]
FAULT = at_fault

r"""
report: numba/numba#4631
what: A uint64 that is reduced by a constant becomes a float64 and loses its last digits.
before: break {stop}
before: run
then: jit functions -types reduce
cause: returns float64
"""

import numpy as np
from numba import njit


@njit
def reduce(x, y):
    p = (2**61) - 1
    z = x + y
    if z >= p:
        z = z - p
    return z  # at: stop


print(reduce(np.uint64(2**60 + 12345), np.uint64(2**60 + 54321)))

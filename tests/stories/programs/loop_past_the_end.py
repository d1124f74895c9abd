r"""
report: numba/numba#6483
what: A loop counts to 4 over an array of two elements, and sums up what lies after it.
before: break {stop} if i >= len(a)
before: run
then: jit locals
then: jit print a[i]
cause: IndexError: index 2 is out of bounds for axis 0 with size 2
"""

import numpy as np
from numba import jit


@jit
def add():
    a = np.array([1, 2])
    total = 0
    for i in range(4):
        total += a[i]  # at: stop
    return total


print(add())

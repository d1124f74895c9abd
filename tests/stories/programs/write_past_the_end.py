r"""
report: numba/numba#3968
what: A write past the end of a small array damages memory, and the program ends elsewhere, later.
then: set environment NUMBA_BOUNDSCHECK 1
then: jit catch IndexError
then: run
cause: `i` = 5 is outside axis 0 of `a` \(5 elements\)
"""

import numpy as np
from numba import njit


@njit
def fill(a):
    for i in range(400):
        a[i] = 5
    return a


@njit
def look(a):
    return a.sum()


array = np.zeros(5, np.int32)
fill(array)
print(look(array))

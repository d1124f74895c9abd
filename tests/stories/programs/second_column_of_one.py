r"""
report: numba/numba#9287
what: A write to column 1 of an array with one column overwrites the next rows.
before: break {stop}
before: run
then: jit print out[:, 1]
cause: IndexError: index 1 is out of bounds for axis 1 with size 1
"""

import numpy as np
from numba import njit


@njit
def table():
    out = np.empty((10, 1))
    out[:, 0] = 0
    out[:, 1] = 1  # at: stop
    return out


print(table())

r"""
report: numba/numba#8028
what: A read past the end of an array returns a number that was never stored there.
before: break {stop}
before: run
then: jit print a[10]
cause: IndexError: index 10 is out of bounds for axis 0 with size 5
"""

import numpy as np
from numba import njit


@njit
def read():
    a = np.zeros(5, dtype=np.float64)
    b = a[10]
    return b  # at: stop


print(read())

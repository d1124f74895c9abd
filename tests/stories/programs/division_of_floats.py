r"""
report: numba/numba#1256
what: A division of floats that NumPy answers with nan raises ZeroDivisionError once the function is compiled.
before: jit catch ZeroDivisionError
before: run
then: jit locals
cause: c = 0
"""

import numpy as np
from numba import njit


@njit
def slope(a, b):
    c = np.sin(a * b)
    return (a - b) / c


print(slope(0.0, 0.0))

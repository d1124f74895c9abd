r"""
report: numba/numba#1923
what: A callback views a pointer as an array that is longer than the memory, and reads beyond it.
cause: cannot be accessed: from its start on there is memory for at most \d+ elements, so that its shape is wrong
"""

import ctypes

import numpy as np
from numba import carray, cfunc, types


@cfunc(types.double(types.CPointer(types.double), types.intc))
def add(pointer, n):
    values = carray(pointer, (n,))
    total = 0.0
    for i in range(n):
        total += values[i]
    return total


memory = np.ones(10)
add.ctypes(memory.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), 1 << 30)

"""A compiled function for stops under valgrind, which runs programs some 50 times slower."""

import numpy as np
from numba import njit


@njit(debug=True)
def total(values, scale):
    result = 0.0
    for value in values:
        result += value * scale
    return result  # at: end


VALUES = np.arange(1000.0)
total(VALUES, 2.0)
print("ready", flush=True)
while True:
    total(VALUES, 3.0)

"""Arrays of several shapes, one of them large, in a compiled function that says which element it has."""

import numpy as np
from numba import njit


@njit(debug=True)
def look(large, grid, cell, number):
    number += 1
    return large[1_234_567] + grid[1, 2] + cell[()] + number  # at: look


print("result:", look(np.arange(2_500_000.0), np.arange(12.0).reshape(3, 4), np.array(4.0), 7))

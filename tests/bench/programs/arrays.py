"""Two arrays to print: 80 MB in one piece, and 200 elements spread over 1.6 GB."""

import numpy as np
from numba import njit


@njit(debug=True)
def look(a, view):
    first = a[0] + view[0]
    return first  # at: stop


whole = np.arange(10_000_000.0)
spread = np.zeros(200_000_000)[::1_000_000]
spread[:] = np.arange(200.0)
for _ in range(10_000):
    look(whole, spread)

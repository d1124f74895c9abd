"""One loop, with names of the types that conditions are about."""

import numpy as np
from numba import njit

OFFSET = 30


@njit(debug=True)
def looped(n, a, f, text):  # at: def
    s = 0
    for i in range(2 * n):  # at: header
        k = i % 7
        s += k  # at: line
        f = f * 0.5  # at: next
    late = s + OFFSET  # at: end
    return late


print(looped(20, np.arange(7.0), 3.7, "abc"))

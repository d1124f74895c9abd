"""A loop that waits for another thread: it reads an element, and stores none."""

import numpy as np
from numba import njit


@njit(debug=True, nogil=True)
def wait(flag):
    c = 0
    while flag[0] == 0:  # at: header
        c += 1  # at: body
    return c  # at: behind


wait(np.ones(1))
print("ready", flush=True)
print(wait(np.zeros(1)))

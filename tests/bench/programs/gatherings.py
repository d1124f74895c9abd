"""As many workers as NUMBA_NUM_THREADS says, which all come to one line, again and again."""

import numpy as np
from numba import config, njit, prange

import jitscope


@njit(debug=True, parallel=True)
def meet(a):
    total = 0.0
    for i in prange(a.shape[0]):
        square = a[i] * a[i]
        jitscope.breakpoint()
        total += square  # at: behind
    return total


numbers = np.arange(float(config.NUMBA_NUM_THREADS))
meet(numbers)
print("ready", flush=True)
while True:
    meet(numbers)

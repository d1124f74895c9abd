"""A program that waits for a debugger, which attaches from elsewhere."""

import numpy as np
from numba import njit

import jitscope


@njit(debug=True)
def blend(a, factor):
    b = a + 1.0
    jitscope.attach(wait=60)  # at: attach
    c = b * factor
    return c  # at: return


blend.compile("(float64[::1], int64)")
print("waits", flush=True)
print(blend(np.arange(3.0), 2)[2])  # at: call

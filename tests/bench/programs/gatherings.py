"""As many workers as NUMBA_NUM_THREADS says, which all come to one line, again and again: GATHER names the loop, where
they ask to stop or do not."""

import os

import numpy as np
from numba import config, njit, prange

import jitscope


@njit(debug=True, parallel=True)
def asking(a):
    total = 0.0
    for i in prange(a.shape[0]):
        square = a[i] * a[i]
        jitscope.breakpoint()
        total += square
    return total


@njit(debug=True, parallel=True)
def plain(a):
    total = 0.0
    for i in prange(a.shape[0]):
        square = a[i] * a[i]
        total += square  # at: line
    return total


numbers = np.arange(float(config.NUMBA_NUM_THREADS))
loop = {"asking": asking, "plain": plain}[os.environ["GATHER"]]
loop(numbers)
print("ready", flush=True)
while True:
    loop(numbers)

"""Workers of a parallel loop that all are in one function of C's, by calls of different depths."""

import ctypes

import numpy as np
from numba import config, njit, prange

usleep = ctypes.CDLL(None).usleep
usleep.argtypes = [ctypes.c_uint]
usleep.restype = ctypes.c_int


@njit(debug=True)
def down(depth, microseconds):
    if depth == 0:
        return usleep(microseconds) + 1
    return down(depth - 1, microseconds) * 2 + down(0, 1)


@njit(debug=True, parallel=True)
def wait(out, microseconds):
    for i in prange(out.shape[0]):
        out[i] = i
        out[i] += down(i % 3, microseconds)
    return out


wait(np.zeros(config.NUMBA_NUM_THREADS), 1)
print("ready", flush=True)
wait(np.zeros(config.NUMBA_NUM_THREADS), 600_000_000)

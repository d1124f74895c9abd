"""As many workers as NUMBA_NUM_THREADS says, all in a function that the loop's body calls."""

import ctypes

import numpy as np
from numba import config, njit, prange

usleep = ctypes.CDLL(None).usleep
usleep.argtypes = [ctypes.c_uint]
usleep.restype = ctypes.c_int


@njit(debug=True, parallel=True)
def wait(out, microseconds):
    for i in prange(out.shape[0]):
        usleep(microseconds)
        out[i] = i
    return out


wait(np.zeros(config.NUMBA_NUM_THREADS), 1)
print("ready", flush=True)
wait(np.zeros(config.NUMBA_NUM_THREADS), 600_000_000)

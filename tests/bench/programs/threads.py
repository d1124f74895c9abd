"""As many workers as NUMBA_NUM_THREADS says, for minutes. WORKERS says where: "called", all in a function that the
loop's body calls; "body", all in the body itself; "idle", in the pool."""

import ctypes
import os
import time

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


@njit(debug=True, parallel=True)
def count(out, most):
    for i in prange(out.shape[0]):
        k = i + 0
        while k < most:
            k += k % 3 + 1
        out[i] = k
    return out


out, where = np.zeros(config.NUMBA_NUM_THREADS), os.environ["WORKERS"]
loop, last = {"called": (wait, 600_000_000), "body": (count, 1 << 60), "idle": (wait, 1)}[where]
loop(out, 1)
print("ready", flush=True)
loop(out, last)
time.sleep(600)

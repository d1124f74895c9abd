"""Scenario D on other names, types and lines: an array, a scalar, the crash in another iteration."""

import ctypes

import numpy as np
from numba import njit, prange

drop = ctypes.CDLL(None).free
drop.argtypes = [ctypes.c_size_t]
drop.restype = None


@njit(debug=True, parallel=True)
def scale(values, factor):
    out = np.zeros_like(values)
    for k in prange(values.shape[0]):  # at: prange
        v = values[k] * factor
        if k == 21:
            drop(0xBADF00D)  # at: crash
        out[k] = v
    return out


def run():
    return scale(np.arange(40.0), 0.5)  # at: call


if __name__ == "__main__":
    print(run())  # at: main

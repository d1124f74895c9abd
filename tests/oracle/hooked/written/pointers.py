"""carray, and a C function of another library called through ctypes."""

import ctypes
import ctypes.util

import numpy as np
from numba import carray, cfunc, njit, types

libm = ctypes.CDLL(ctypes.util.find_library("m") or "libm.so.6")
cosine = libm.cos
cosine.restype, cosine.argtypes = ctypes.c_double, [ctypes.c_double]


@cfunc(types.float64(types.CPointer(types.float64), types.intc), debug=True)
def total(data, n):
    a = carray(data, (n,))
    s = 0.0
    for i in range(n):
        s += a[i]
        a[i] = -a[i]
    return s


@njit(debug=True)
def calling(n):
    s = 0.0
    for i in range(n):
        c = cosine(i * 0.5)
        s += c
    return s, c


def through():
    a = np.arange(6.0)
    return total.ctypes(a.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), 6), a


CALLS = [through, lambda: calling(5)]

"""Crashes in code that compiled functions have called: in the C library, in a function of Numba's, in a ufunc's body."""

import ctypes
import sys

import numpy as np
from numba import carray, njit, prange, types, vectorize
from numba.extending import intrinsic

strlen = ctypes.CDLL("libc.so.6").strlen
strlen.restype = ctypes.c_size_t
strlen.argtypes = [ctypes.c_void_p]


@intrinsic
def as_pointer(_context, number):
    signature = types.CPointer(types.float64)(number)

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return signature, generate


@njit
def build(where, n):
    size = n * 2
    length = strlen(where)  # at: strlen
    return length + size


@njit
def middle(where, n):
    a = carray(as_pointer(where), (n,))
    doubled = n * 2
    found = np.median(a)  # at: median
    return found + doubled


@njit(parallel=True)
def loop(a, far):
    for i in prange(a.size):  # at: header
        at = i * far
        a[at] = i  # at: store
    return a


@njit(parallel=True)
def grid(where, n):
    a = carray(as_pointer(where), (n, n))
    return (a + 1.0) * 2.0  # at: grid


what = sys.argv[1] if len(sys.argv) > 1 else "build"
if what == "build":
    build(16, 5)
elif what == "middle":
    middle(16, 30)
elif what == "loop":
    loop(np.zeros(8), 1 << 45)
elif what == "grid":
    grid(16, 40)
else:

    @vectorize(["int64(int64, int64)"], target="parallel")
    def body(p, q):
        return strlen(p) + q

    body(np.full(1000, 16, np.int64), np.arange(1000))

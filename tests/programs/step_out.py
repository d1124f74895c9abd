"""What steps leave: functions that Python, a ufunc's loop, and a C function have called."""

import ctypes

import numpy as np
from numba import cfunc, njit, objmode, vectorize


@njit(debug=True)
def twice(x):
    y = x * 2
    return y + 1  # at: return


@njit(debug=True)
def fails(x):
    y = x + 1
    if y > 2:
        raise ValueError("too big")  # at: raise
    return y


@njit(debug=True)
def outer(x):
    a = twice(x)
    b = a + 1  # at: behind
    return b  # at: last


@vectorize(["float64(float64)"])
def half(x):
    y = x / 2
    return y  # at: half


@cfunc("int32(voidptr, voidptr)", debug=True)
def compare(a, b):
    return 0  # at: compare


def middle(x):
    return twice(x)  # at: middle


@njit(debug=True)
def around(x):
    with objmode(y="int64"):
        y = middle(x)
    return y


def main():
    for i in range(2):
        r = twice(i)  # at: call
    print(r, outer(6))  # at: outer
    try:
        fails(7)  # at: fails
    except ValueError as error:
        print("caught", error)
    print(half(np.arange(2.0)))  # at: ufunc
    print(around(3))
    array = (ctypes.c_int * 2)(3, 1)
    ctypes.CDLL(None).qsort(array, 2, 4, ctypes.cast(compare.address, ctypes.c_void_p))  # at: sort


main()

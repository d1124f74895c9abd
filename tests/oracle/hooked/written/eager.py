"""Eager signatures: several, with conversions, returning other types, void, of arrays that may not be written."""

import numpy as np
from numba import float32, float64, int32, int64, njit, types, void


@njit([float32(float32, int32), float64(float64, int64)], debug=True)
def scaled(x, n):
    y = x
    for i in range(n):
        y = y * x + i
    return y


@njit(void(float64[:], int64), debug=True)
def fill(a, n):
    for i in range(n):
        a[i] = i
    a[0] = -1


@njit(int32(int64), debug=True)
def narrow(x):
    y = x * 3
    return y


@njit(types.float64(types.Array(types.float64, 1, "C", readonly=True)), debug=True)
def total(a):
    s = 0.0
    for x in a:
        s += x * x
    return s


@njit(types.Tuple((int64, types.unicode_type))(int64), debug=True)
def named(n):
    s = "n"
    for i in range(n):
        s += str(i)
    return n, s


def filled(n):
    a = np.ones(4)
    fill(a, n)
    return a


def fixed():
    a = np.arange(5.0)
    a.flags.writeable = False
    return total(a)


CALLS = [
    lambda: (scaled(1.5, 3), scaled(np.float32(1.5), np.int32(3))),
    lambda: filled(3),
    lambda: (narrow(5), narrow(2**31)),
    fixed,
    lambda: named(3),
]

"""Loops that LLVM makes memset and memcpy of, and loops of thousands of iterations that it vectorises."""

import numpy as np
from numba import njit


@njit(debug=True)
def fill(a, x):
    for i in range(a.size):
        a[i] = x
    last = a[-1]
    return last


@njit(debug=True)
def copy(a, b):
    for i in range(len(a)):
        b[i] = a[i]
    for i in range(len(a) - 1):
        a[i + 1] = a[i]
    return b


@njit(debug=True)
def fill2(a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = 0
    for i in range(a.shape[0]):
        a[i, i] = 1
    return a


@njit(debug=True)
def dot(a, b):
    total = a.dtype.type(0)
    least = a[0]
    at = 0
    for i in range(a.size):
        total += a[i] * b[i]
        if a[i] < least:
            least = a[i]
            at = i
    return total, least, at


def filled(kind, x):
    a = np.arange(2000).astype(kind)
    return fill(a, kind(x)), a


CALLS = [
    *[lambda kind=kind: filled(kind, 7) for kind in (np.int8, np.uint16, np.int32, np.float64, np.complex128)],
    lambda: copy(np.arange(1500), np.zeros(1500, np.int64)),
    lambda: copy(np.arange(999, dtype=np.uint8), np.zeros(999, np.int16)),
    lambda: fill2(np.ones((37, 40))[:, :]),
    lambda: fill2(np.ones((40, 90), np.int32)[:, ::2]),
    lambda: dot(np.arange(5000) % 37, np.arange(5000) % 11),
    lambda: dot(np.sin(np.arange(5000)), np.cos(np.arange(5000))),
    lambda: dot(np.sin(np.arange(5000)).astype(np.float32), np.cos(np.arange(5000)).astype(np.float32)),
]

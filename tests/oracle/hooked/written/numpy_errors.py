"""error_model="numpy": division by zero of each kind in loops, vectorised or not."""

import numpy as np
from numba import njit


@njit(debug=True, error_model="numpy")
def ratios(a, b):
    out = np.empty(a.size)
    for i in range(a.size):
        out[i] = a[i] / b[i]
    return out


@njit(debug=True, error_model="numpy")
def quotients(a, b):
    total = 0
    for i in range(a.size):
        total += a[i] // b[i] + a[i] % b[i]
    return total


@njit(debug=True, error_model="numpy")
def one(x, y):
    z = x / y
    w = x // y
    return z, w, x % y


A = np.arange(-50, 50)
CALLS = [
    lambda: ratios(A.astype(float), (A % 3).astype(float)),
    lambda: ratios(A, A % 3),
    lambda: quotients(A, A % 3 - 1),
    lambda: quotients(A.astype(np.int32), (A % 3 + 1).astype(np.int32)),
    lambda: one(1.0, 0.0),
    lambda: one(1, 0),
    lambda: one(np.float32(-1), np.float32(0)),
]

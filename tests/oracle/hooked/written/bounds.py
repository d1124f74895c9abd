"""boundscheck=True: of reads and writes, of several dimensions, negative, fancy, in vectorisable loops."""

import numpy as np
from numba import njit


@njit(debug=True, boundscheck=True)
def total(a, n):
    s = 0
    for i in range(n):
        s += a[i]
    return s


@njit(debug=True, boundscheck=True)
def write(a, n):
    for i in range(n):
        for j in range(n):
            a[i, j] = i * j
    return a


@njit(debug=True, boundscheck=True)
def back(a, n):
    s = a[-1]
    for i in range(n):
        s = s * 2 + a[-i - 1]
    return s


@njit(debug=True, boundscheck=True)
def fancy(a, at):
    b = a[at]
    return b * 2


CALLS = [
    lambda: total(np.arange(100), 100),
    lambda: total(np.arange(100), 101),
    lambda: write(np.zeros((5, 5)), 5),
    lambda: write(np.zeros((5, 4)), 5),
    lambda: back(np.arange(5), 5),
    lambda: back(np.arange(5), 6),
    lambda: fancy(np.arange(5.0), np.array([1, 4])),
    lambda: fancy(np.arange(5.0), np.array([1, 5])),
]

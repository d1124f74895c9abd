"""What arrays count: their shape, and what loops over their items leave behind them."""

import math

import numpy as np
from numba import njit


@njit(debug=True)
def cube(a, k=-2, f=-1.5e-3):
    n, m, p = a.shape
    last = 0
    for i in range(n):
        for j in range(a.shape[1]):
            last = i * 10 + j
    rest = a.shape[2] - p
    total = n * m * p + k
    out = total * f + last + rest
    return out


@njit(debug=True)
def empty(a, k):
    best = -1
    mark = 3
    for i, v in enumerate(a):
        mark = i + k
        if v > 4.0:
            best = i
            break
    else:
        mark = 0
    for v in a:  # noqa: B007
        tail = k - 1  # noqa: F841
    near = mark + best
    return near


@njit(debug=True)
def reshaped(a, k):
    n = a.shape[0]
    a = a[1:]
    m = a.shape[0]
    b = a * 2.0
    q = b.shape[0] + k
    for i, v in enumerate(b):
        a[i] = v
        x = i + k  # noqa: F841
    c = math.sqrt(abs(a[0]))
    return n * 100 + m * 10 + q + c


@njit(debug=True)
def switched(flag, a, b):
    n = len(a)
    src = a
    if flag:
        src = b
    for i, v in enumerate(src):  # noqa: B007
        d = i * n
    e = len(src) + d
    f = 2 * 3 + 1
    g = (f - 7, n, 4 - 6)
    return e + g[1] + f


CALLS = [
    lambda: cube(np.zeros((2, 3, 4))),
    lambda: cube(np.zeros((0, 3, 4)), 5),
    lambda: cube(np.zeros((3, 1, 2)), 5, 0.5),
    lambda: empty(np.array([1.0, 5.0, 2.0]), 3),
    lambda: empty(np.zeros(0), 3),
    lambda: empty(np.array([1.0, 2.0]), 3),
    lambda: reshaped(np.arange(5.0), 3),
    lambda: switched(True, np.arange(3), np.arange(5)),
    lambda: switched(False, np.arange(3), np.arange(5)),
]

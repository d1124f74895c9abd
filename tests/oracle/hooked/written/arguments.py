"""Arguments that are assigned: numbers, arrays, tuples, texts; and read only behind a loop."""

import numpy as np
from numba import njit


@njit(debug=True)
def numbers(n, x, flag):
    for i in range(n):
        n -= 1
        x *= 1.5
        flag = not flag
    return n, x, flag


@njit(debug=True)
def arrays(a, b):
    a, b = b, a
    a = a[1:]
    for i in range(a.size):
        a[i] += b[i]
    b = b * 2
    return a, b


@njit(debug=True)
def late(a, k, text, pair):
    s = 0
    for i in range(a.size):
        s += a[i]
    t = s * k
    if t > 10:
        text = text + "!"
    pair = (pair[1], pair[0])
    return t, text, pair


@njit(debug=True)
def unused(a, b, c):
    s = 0
    for i in range(b):
        s += i
    return s


CALLS = [
    lambda: numbers(7, 2.0, True),
    lambda: arrays(np.arange(4.0), np.ones(5)),
    lambda: late(np.arange(5), 2, "t", (1, 2.5)),
    lambda: unused(np.ones(3), 2000, "c"),
]

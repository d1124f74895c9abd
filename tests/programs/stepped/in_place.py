"""Operators that assign in place, on numbers, elements and arrays; Numba has some of them as functions of its own."""

import numpy as np
from numba import njit


@njit(debug=True)
def ints(n):
    x = n
    x **= 3
    y = x
    y //= 4
    y %= 7
    y <<= 2
    y |= 1
    y ^= 3
    y &= 13
    y >>= 1
    y -= 2
    y *= n
    z = y
    z **= n
    w = n
    w **= 2
    w **= 2
    return x + y + z + w


@njit(debug=True)
def floats(v):
    x = v
    x **= 3
    y = x
    y //= 0.75
    y %= 7.5
    y /= 3
    y **= 0.5
    y **= 2
    z = v
    z **= v
    return x + y + z


@njit(debug=True)
def arrays(a, i):
    a[0] **= 2
    a[i] **= 3
    a[1] //= 2
    a[i] %= 3
    a[0] -= a[1] ** 2
    a **= 2
    a += 1
    b = a
    b //= 2
    return b.sum()


@njit(debug=True)
def loop(n):
    t = 0
    p = 1
    for k in range(n):
        q = k
        q **= 2
        t += q
        p *= 2
        p **= 1
    s = n
    s **= 3
    return t + p + s


print(ints(3), floats(2.5), arrays(np.array([1.0, 2.0, 3.0]), 1), arrays(np.array([1, 2, 3]), 1), loop(3))

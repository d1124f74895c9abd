"""Exceptions in loops: division, index, overflow of a shift, a callee's, and one after stores."""

import numpy as np
from numba import njit


@njit(debug=True)
def inverse(a):
    s = 0.0
    for i in range(a.size):
        x = a[i]
        s += 1.0 / x
        a[i] = s
    return s


@njit(debug=True)
def whole(a, b):
    s = 0
    for i in range(a.size):
        s = s + a[i] // b[i]
        a[i] = s
    return s


@njit(debug=True)
def half(x):
    if x % 2:
        raise ValueError("odd", x)
    return x // 2


@njit(debug=True)
def halves(a):
    s = 0
    for x in a:
        y = half(x)
        s += y
    return s


@njit(debug=True)
def three(a):
    try:
        return halves(a)
    except Exception:
        pass
    total = 0
    for x in a:
        try:
            total += half(x)
        except Exception:
            total += 1000
    return total


@njit(debug=True)
def listed(items, n):
    s = 0
    for i in range(n):
        s += items[i] * items[-i]
    return s


@njit(debug=True)
def tupled(n):
    t = (4, 5, 6)
    s = 0
    for i in range(n):
        s += t[i]
    return s


def left(f, *given):
    try:
        return f(*given), given
    except Exception as error:
        return type(error).__name__, error.args, given


CALLS = [
    lambda: left(inverse, np.array([1.0, 2.0, 0.0, 4.0])),
    lambda: left(inverse, np.array([1.0, 2.0])),
    lambda: left(whole, np.arange(5), np.array([1, 2, 3, 0, 1])),
    lambda: left(whole, np.arange(5), np.ones(5, np.int64)),
    lambda: left(halves, np.array([2, 4, 5, 6])),
    lambda: (three(np.array([2, 4])), three(np.array([2, 3, 5]))),
    lambda: left(listed, [1, 2, 3], 4),
    lambda: listed([1, 2, 3], 3),
    lambda: left(tupled, 4),
    lambda: tupled(3),
]

"""inline="always" of Numba's: one in another, in a loop, with a name of the caller's, and with a cost model."""

import numpy as np
from numba import njit


@njit(inline="always")
def square(x):
    y = x * x
    return y


@njit(debug=True, inline="always")
def poly(x, k):
    y = square(x) + k
    if y > 50:
        return y - 50
    return y


def model(expr, caller, callee):
    return True


@njit(debug=True, inline=model)
def swap(t):
    a, b = t
    return b, a


@njit(debug=True)
def outer(n):
    y = 1
    total = 0
    for x in range(n):
        total += poly(x, y)
        y += square(x) % 3
        first, y = swap((y, total % 7))
    return total, y, x, first


@njit(debug=True)
def arrays(a):
    y = square(a)
    for i in range(3):
        y = square(y) - a
    return y


CALLS = [lambda: outer(12), lambda: outer(1), lambda: arrays(np.array([0.5, 1.5]))]

"""Functions with defaults, keywords, *args, optional arguments, of several signatures."""

import numpy as np
from numba import njit


@njit(debug=True)
def power(x, n=2, scale=1.0):
    y = scale
    for i in range(n):
        y *= x
    return y


@njit(debug=True)
def total(*numbers):
    s = 0.0
    for x in numbers:
        s += x
    return s, len(numbers)


@njit(debug=True)
def calls(a, b=None):
    s = power(a) + power(a, 3) + power(a, scale=2.0) + power(n=1, x=a)
    if b is None:
        t = total(a, s)
    else:
        t = total(a, s, b)
    return s, t


CALLS = [
    lambda: calls(2.0),
    lambda: calls(2, 5),
    lambda: calls(np.float32(1.1), 2.5),
    lambda: (power(3), power(3, 0), power(2.5, n=4)),
    lambda: (total(), total(1), total(1, 2.5, 3)),
]

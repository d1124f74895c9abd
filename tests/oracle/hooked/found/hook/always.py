"""Of a function with inline="always", which Numba inlines, the caller's `y` was shown as its own; its calls' lines
were stops twice."""

import numpy as np
from numba import njit


@njit(inline="always")
def scaled(x, k):
    y = x * k
    return y + 1


@njit(debug=True)
def sums(n):
    y = 100
    total = 0
    for i in range(n):
        total += scaled(i, 3)
    return total + y


@njit(debug=True)
def arrays(a):
    y = scaled(a, 2)
    for i in range(3):
        y = scaled(y, i) - a
    return y.sum()


CALLS = [lambda: sums(4), lambda: arrays(np.array([0.5, 1.5]))]

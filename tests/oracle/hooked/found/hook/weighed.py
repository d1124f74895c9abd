"""Functions with inline="always": twice on a line, one in another, in loops, in arms of tests."""

import numpy as np
from numba import njit


@njit(debug=True, inline="always")
def weigh(v, limit):
    w = v * 2
    if w > limit:
        w -= limit
    return w


@njit(debug=True, inline="always")
def around(g):
    h = g + 1
    inner = weigh(h, 3) + h
    return inner - g


@njit(debug=True)
def twice(n):
    total = weigh(n, 5) - weigh(n + 3, 4)
    for i in range(n):
        if i % 2:
            total += weigh(i, 6)
        else:
            total -= around(i)
    return total


@njit(debug=True)
def arrays(a):
    total = 0.0
    for x in a:
        total += weigh(x, 2.5)
    return total + weigh(total, 1.0)


CALLS = [lambda: twice(5), lambda: arrays(np.array([0.5, 1.5, 3.0]))]

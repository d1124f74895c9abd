"""Functions with inline="always": twice on a line, one in another, in loops, in arms of tests; in a loop that is left.
One in another was shown as unassigned."""

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


@njit(debug=True, inline="always")
def checked(v, limit):
    w = v * 2
    if w > limit:
        raise ValueError
    return w


@njit(debug=True)
def left(n):
    total = 0
    for i in range(n):
        if checked(i, 50) > 5:
            return i
        total += checked(i + 1, 60)
    return total


CALLS = [
    lambda: twice(5),
    lambda: arrays(np.array([0.5, 1.5, 3.0])),
    lambda: left(2),
    lambda: left(9),
]

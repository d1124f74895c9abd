"""Small functions with loops, which LLVM inlines into their callers, and moves the loop's checks out of."""

import numpy as np
from numba import njit


@njit(debug=True)
def scale(x, by=3):
    r = x - by
    for j in range(2):
        r -= j
    return r


@njit(debug=True)
def least(a):
    best = a[0]
    for v in a:
        if v < best:
            best = v
    return best


@njit(debug=True)
def nested(x):
    total = 0
    for k in range(2):
        total += scale(x, k)
    return total


@njit(debug=True)
def top(x, a):
    s = scale(x)
    low = least(a)
    t = nested(s)
    return s, low, t


print(top(3, np.array([2.0, 1.0, 3.0])))

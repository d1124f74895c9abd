"""Values that innermost loops leave: after many iterations, none, one, an early exit, in nested loops."""

import numpy as np
from numba import njit


@njit(debug=True)
def last(n, k):
    x = -1
    i = 77
    for i in range(n):
        x = i * k
        y = x - i
        if y > 1000:
            break
    else:
        x += 5
    z = x + i
    return x, i, z


@njit(debug=True)
def both(n, m):
    total = 0
    j = -1
    for i in range(n):
        for j in range(i, m):
            w = i * j
            total += w
        total -= j
    return total, j


@njit(debug=True)
def whiles(n):
    a, b = 0, 1
    turns = 0
    while b < n:
        a, b = b, a + b
        turns += 1
    before = a
    while a > 0:
        a -= turns
    return before, a, b, turns


@njit(debug=True)
def found(a, x):
    at = -1
    for i in range(a.size):
        if a[i] == x:
            at = i
            break
    y = a[i]
    return at, i, y


CALLS = [
    lambda: (last(0, 3), last(1, 3), last(10, 3), last(5000, 7)),
    lambda: (both(0, 4), both(5, 4), both(3, 2000)),
    lambda: (whiles(0), whiles(10**9)),
    lambda: (found(np.arange(3000), 2999), found(np.arange(3), 9)),
]

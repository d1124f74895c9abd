"""Division and remainder by negative numbers, of each kind; shifts; powers."""

import numpy as np
from numba import njit


@njit(debug=True)
def each(a, b):
    q = a // b
    r = a % b
    t = a / b
    d = divmod(a, b)
    return q, r, t, d


@njit(debug=True)
def all_of(n):
    total = 0
    for a in range(-n, n):
        for b in range(-n, n):
            if b != 0:
                total = total * 31 + (a // b) * 7 + a % b
    return total


@njit(debug=True)
def shifts(x, n):
    total = 0
    for i in range(n):
        total ^= (x << i) ^ (x >> (i % 64))
    return total


@njit(debug=True)
def powers(x, n):
    total = x * 0
    for i in range(n):
        total += x**i
    return total, x**n, 2**n


CALLS = [
    *[lambda a=a, b=b: each(a, b) for a in (7, -7) for b in (3, -3, 0)],
    *[lambda a=a, b=b: each(a, b) for a in (7.5, -7.5, -0.0) for b in (3.0, -3.0, 0.0, float("inf"))],
    lambda: each(np.int8(-128), np.int8(-1)),
    lambda: each(np.uint32(7), np.uint32(4)),
    lambda: each(np.float32(7.5), np.float32(-2)),
    lambda: all_of(15),
    lambda: (shifts(12345, 63), shifts(-12345, 63)),
    lambda: powers(3, 12),
    lambda: powers(-2.5, 12),
    lambda: powers(np.float32(1.1), 9),
]

"""Iterables of loops: enumerate, zip, reversed, ndindex, ndenumerate, nditer, flat, items, a tuple, two steps."""

import numpy as np
from numba import njit


@njit(debug=True)
def over(a):
    s = 0
    for i, v in enumerate(a, 3):
        s += i * v
    for v, w in zip(a, a[1:]):
        s = s * 3 + v - w
    for i in reversed(range(len(a))):
        s += a[i] << i
    for v in (1, 5, 2):
        s -= v
    return s, i, v


@njit(debug=True)
def grid(a):
    s = 0.0
    for i, j in np.ndindex(a.shape):
        s += a[i, j] * (i - j)
    for (i, j), v in np.ndenumerate(a):
        s += v * i
    for v in a.flat:
        s = s * 0.5 + v
    for row in a:
        s += row[0]
        for x in row:
            s -= x
    for x in np.nditer(a):
        s += x.item()
    return s, i, j


@njit(debug=True)
def steps(n):
    out = []
    for i in range(n, -n, -3):
        out.append(i)
    for i in range(-n, n, n // 2):
        out.append(i)
    for i in range(0, n, 2):
        for j in range(i, 0, -2):
            out.append(i * j)
    return out


CALLS = [
    lambda: over(np.arange(1, 8)),
    lambda: over(np.arange(1, 3, dtype=np.int16)),
    lambda: grid(np.arange(12.0).reshape(3, 4)),
    lambda: grid(np.asfortranarray(np.arange(12.0).reshape(3, 4))),
    lambda: steps(8),
]

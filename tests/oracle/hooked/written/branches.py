"""Variables assigned on some ways only, types that change, None or a number, deep ifs in loops."""

import numpy as np
from numba import njit


@njit(debug=True)
def some(n):
    x = 0
    if n > 3:
        y = n * 2
        x = y
    elif n > 1:
        z = n - 1
        x = z
    for i in range(n):
        if i == 2:
            w = i
        if i > 2:
            x += w
    return x


@njit(debug=True)
def maybe(a, limit):
    best = None
    for v in a:
        if v < limit:
            if best is None or v > best:
                best = v
    return best


@njit(debug=True)
def deep(n):
    out = 0
    for i in range(n):
        if i % 2:
            if i % 3:
                k = 1
            elif i % 5:
                k = 2
            else:
                continue
        else:
            if i > 20:
                break
            k = 3
        out = out * 3 + k
    return out, k, i


@njit(debug=True)
def types(n):
    x = n
    x = x / 2
    total = 0.0
    for i in range(n):
        x = x + i
        total += x
    x = np.full(2, total)
    return x, total


@njit(debug=True)
def chained(a, b, c):
    r = a < b < c or not a and c
    s = a if b else c
    t = (a and b) or c
    return r, s, t


CALLS = [
    lambda: [some(n) for n in range(6)],
    lambda: [maybe(np.array([3, 1, 2]), k) for k in (0, 2, 9)],
    lambda: (deep(40), deep(4)),
    lambda: types(7),
    lambda: [chained(a, b, c) for a in (0, 1) for b in (0, 2) for c in (0, 3)],
]

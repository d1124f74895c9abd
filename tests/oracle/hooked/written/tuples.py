"""Tuples: of several kinds, named, nested, in loops, exchanged, as keys, returned by calls."""

from collections import namedtuple

import numpy as np
from numba import njit

Point = namedtuple("Point", "x y")


@njit(debug=True)
def add(a, b):
    return Point(a.x + b.x, a.y + b.y)


@njit(debug=True)
def walk(n):
    p = Point(0, 0.0)
    d = Point(1, 0.5)
    far = p
    for i in range(n):
        p = add(p, d)
        if i % 3 == 2:
            d = Point(-d.x, d.y * 2)
        if p.x > far.x:
            far = p
    x, y = p
    return x, y, far, p == far


@njit(debug=True)
def gcd(a, b):
    x = (1, 0)
    y = (0, 1)
    while b:
        q = a // b
        a, b = b, a - q * b
        x = (x[1], x[0] - q * x[1])
        y = (y[1], y[0] - q * y[1])
    return a, x[0], y[0]


@njit(debug=True)
def keys(n):
    d = {(0, 0): 1.0}
    for i in range(n):
        k = (i % 2, i % 3)
        if k in d:
            d[k] += i
        else:
            d[k] = i * 0.5
    total = 0.0
    for (a, b), v in d.items():
        total += a * 100 + b * 10 + v
    return total, len(d)


@njit(debug=True)
def mixed(t, n):
    a, (b, c), d = t
    s = 0.0
    for i in range(n):
        s += a[i] * b + c
    u = t + (s,)
    return u[-1], len(u), d


CALLS = [
    lambda: walk(8),
    lambda: (gcd(240, 46), gcd(17, 0)),
    lambda: keys(9),
    lambda: mixed((np.arange(4.0), (2, 0.5), "end"), 4),
]

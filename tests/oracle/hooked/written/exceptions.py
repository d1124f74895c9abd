"""Exceptions of each kind: of the user, of Numba's, from nested calls, with arguments that are computed, in loops."""

import numpy as np
from numba import njit
from numba.typed import Dict, List


class Odd(Exception):
    """An exception of the user's."""


@njit(debug=True)
def deep(n, k):
    if n == 0:
        if k > 3:
            raise Odd("bottom", k)
        return 0.0
    kept = np.ones(n)
    return deep(n - 1, k + 1) + kept.sum()


@njit(debug=True)
def plain_raise(n):
    if n:
        raise Odd
    raise ValueError


@njit(debug=True)
def asserting(a):
    for x in a:
        y = x * 2
        assert y < 5
    return y


@njit(debug=True)
def popping(n):
    found = [1, 2]
    for i in range(n):
        found.pop()
    return len(found)


@njit(debug=True)
def keyed(k):
    d = {1: 2.0, 3: 4.0}
    total = 0.0
    for i in range(k):
        total += d[i * 2 + 1]
    return total


@njit(debug=True)
def unpacked(t):
    a, b, c = t
    return a + b + c


@njit(debug=True)
def parsed(s):
    return ord(s[3]) * 2


@njit(debug=True)
def shapes(n):
    a = np.ones((n, 3))
    b = np.ones((4, 3))
    return (a + b).sum()


@njit(debug=True)
def negative(n):
    a = np.zeros(n)
    return a.size


@njit(debug=True)
def step(n):
    total = 0
    for i in range(0, 10, n):
        total += i
    return total


@njit(debug=True)
def removing():
    s = {1, 2}
    s.remove(5)
    return len(s)


@njit(debug=True)
def stops(n):
    a = List()
    a.append(n)
    return a[n]


@njit(debug=True)
def empty():
    d = Dict()
    d["a"] = 1
    return d["b"]


CALLS = [
    lambda: deep(4, 0),
    lambda: plain_raise(0),
    lambda: plain_raise(1),
    lambda: asserting(np.array([1, 2, 3])),
    lambda: asserting(np.array([1, 2])),
    lambda: popping(3),
    lambda: keyed(2),
    lambda: keyed(3),
    lambda: unpacked(np.arange(2)),
    lambda: parsed("1734"),
    lambda: parsed("x7"),
    lambda: shapes(5),
    lambda: shapes(1),
    lambda: negative(-1),
    lambda: step(0),
    removing,
    lambda: stops(0),
    lambda: stops(4),
    empty,
]

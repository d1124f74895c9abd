"""Generators: read by compiled code and by the interpreter, with several yields, given up early."""

import itertools

import numpy as np
from numba import njit


@njit(debug=True)
def counting(n):
    for i in range(n):
        j = i * 2
        yield j


@njit(debug=True)
def stages(a, k):
    total = a.sum()
    yield total
    total = total + k
    yield total
    for value in a:
        total += value
        yield total


@njit(debug=True)
def waiting(n):
    pair = (n, 0.5)
    for i in range(n):
        kind = i > 0
        name = "first" if i == 0 else "x" + str(i)
        yield i
        again = len(name)
        kind = again * 0.5
        yield again
    last = n + 1
    yield last


@njit(debug=True)
def consume(n):
    s = 0
    for v in counting(n):
        s += v
    return s


CALLS = [
    lambda: consume(3),
    lambda: sum(counting(3)),
    lambda: sum(waiting(2)),
    lambda: sum(stages(np.arange(3.0), 2)),
    lambda: sum(itertools.islice(stages(np.arange(3.0), 2), 2)),
]

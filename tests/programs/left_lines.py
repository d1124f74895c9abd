"""Lines of which nothing is left where their function is inlined, loops that object mode compiles by themselves, a
line that calls C, and a generator of several `yield`s."""

import math

import numpy as np
from numba import jit, njit


@njit(debug=True)
def scaled(a, i, k):
    m = a[i] * k
    if m > 3.0:
        m = m - 1.0
    return m  # at: inlined


@njit(debug=True)
def caller(a, n):
    t = 0.0
    for i in range(n):
        t += scaled(a, i, 2.0)
    return t


class Thing:
    pass


@jit(forceobj=True, looplift=True, debug=True)
def lift(n):
    thing = Thing()
    t = 0
    for i in range(n):
        t += i  # at: lifted
        t += 1
    thing.t = t  # at: behind
    return t


@njit(debug=True)
def later(n):
    return n + 1  # at: later


@njit(debug=True)
def climbing(n):
    for i in range(n):  # at: begins
        yield i
    while n > 0:
        yield n
        n -= 1
        yield -n


@njit(debug=True)
def calling(x):
    y = math.sin(x) * math.exp(x)  # at: calls
    return y + 1.0


print(caller(np.arange(10.0), 10))
print(lift(3))
print(later(3))
print(calling(0.3))
print(list(climbing(3)))

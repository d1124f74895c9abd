"""Functions from Numba's cache: in a second process their dispatchers have what the first process compiled, and those
of functions that are cached as a part of their callers have no code."""

import os
import time

import numpy as np
from numba import njit, types, vectorize
from numba.extending import overload_method

FLAG = False
FACTOR = 3.0
TABLE = np.array([1.0, 2.0, 4.0])
CHANGED = int(os.environ.get("JITSCOPE_TEST_CHANGED", "0"))


def helper(x):
    return x + 100


@overload_method(types.Array, "jitscope_first")
def first_of(a):
    return lambda a: a[0]


@njit(cache=True)
def inner(x):
    y = 0.0
    for i in range(x):
        y = y / FACTOR + TABLE[i % 3]  # at: inner
    return y


@njit(cache=True)
def outer(x):
    return inner(x) + 1


@njit(cache=True)
def tiny(x):
    return x + 0.5  # at: tiny


@njit(cache=True)
def around(x):
    r = tiny(x) * 2.0  # at: around
    return r


@njit(cache=True)
def same(x):
    return x


@njit(cache=True)
def uses(x):
    return same(x) + 1


@njit(cache=True)
def differs(x):
    r = x + CHANGED  # at: differs
    return r


@njit(cache=True)
def below(x):
    return x * (CHANGED + 2)


@njit(cache=True)
def above(x):
    s = below(x) - 1  # at: above
    return s


@njit(cache=True)
def deep(x):
    t = above(x) * len((x, x))  # at: deep
    return t


@njit(cache=True)
def foreign(x):
    if FLAG:
        return helper(x)
    f = x + 1  # at: foreign
    return f


@njit(cache=True)
def extended(a):
    e = a.jitscope_first() * 3  # at: extended
    return e


def scaled_by(scale):
    @njit(cache=True)
    def scaled(x):
        r = x * scale + len((x, x)) + np.sqrt(x) + max(x, 2)  # at: scaled
        return r

    return scaled


scaled = scaled_by(2.5)
doubled, tripled = scaled_by(2), scaled_by(3)


@njit(cache=True)
def twice(x):
    t = doubled(x) + tripled(x)  # at: twice
    return t


@njit(cache=True)
def wide(a):
    w = extended(a) + 1  # at: wide
    return w


@vectorize
def squared(x):
    q = x * x  # at: ufunc
    return q


@njit(cache=True)
def factorial(n):
    if n <= 1:
        return 1
    m = n * factorial(n - 1)  # at: factorial
    return m


@njit
def last(x):
    return x  # at: last


def results():
    found = [outer(50), around(1.0), differs(1), above(2), deep(2), foreign(1), extended(TABLE), scaled(4)]
    found += [uses(3), twice(1), wide(TABLE), float(squared(2.0))]
    return [*found, factorial(5), last(1)]


def main():
    expected = results()
    print("ready", flush=True)
    while True:
        assert results() == expected, (results(), expected)
        time.sleep(0.02)


main()

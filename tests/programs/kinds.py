"""Scenario A3: every kind of code that Numba makes of a function. Run with NUMBA_DEBUGINFO=1."""

import numba
import numpy as np
from numba import njit, objmode
from numba.extending import overload


@njit
def leaf(v):
    u = v - 1  # at: leaf
    return u


@njit
def stalk(v):
    u = v - 2  # at: stalk
    return u


@numba.jit(forceobj=True)
def loose(a):
    b = leaf(a)
    return b


@numba.jit(forceobj=True, looplift=True)
def lifting(n):
    seen = {"n": n}
    s = 0
    for i in range(n):
        s += i  # at: lifting
    return s, seen


@njit
def mixed(n):
    with objmode(y="int64"):
        y = stalk(n)
    return y


def make_adder(k):
    @njit
    def adder(v):
        w = v + k  # at: adder
        return w

    return adder


@njit
def counting(n):
    for i in range(n):
        j = i * 2
        yield j  # at: counting


@njit
def consume(n):
    s = 0
    for v in counting(n):
        s += v
    return s


@numba.vectorize(["float64(float64)"])
def half(x):
    y = x * 0.5  # at: half
    return y


@numba.guvectorize(["(float64[:], float64[:])"], "(n)->(n)")
def running(x, out):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
        out[i] = s  # at: running


@numba.stencil
def smooth(a):
    return 0.5 * (a[-1] + a[1])


@njit
def smoothed(a):
    b = smooth(a)  # at: smoothed
    return b


def magnitude(x):
    return abs(x)


@overload(magnitude)
def magnitude_of(x):
    def measure(x):
        size = x * x  # at: measure
        return size

    return measure


@njit
def measured(x):
    m = magnitude(x)
    return m


@numba.cfunc("float64(float64)")
def callback(x):
    y = x + 1.0  # at: callback
    return y


@numba.experimental.jitclass([("total", numba.int64)])
class Counter:
    def __init__(self, start):
        self.total = start

    def add(self, k):
        now = self.total + k  # at: add
        self.total = now
        return now


@njit
def factorial(n):
    if n < 2:
        return 1  # at: factorial
    rest = factorial(n - 1)
    return n * rest


def main():
    loose(3)
    lifting(4)
    mixed(5)
    make_adder(2)(6)
    consume(3)
    half(np.arange(2.0))
    running(np.arange(3.0))
    smoothed(np.arange(5.0))
    measured(7)
    callback.ctypes(2.5)
    Counter(1).add(2)
    factorial(3)


if __name__ == "__main__":
    main()

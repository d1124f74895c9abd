"""A function, a closure, a method and a generator, each called from the interpreter."""

import numba
import numpy as np
from numba import njit


@njit(debug=True)
def multiplied(a, k):
    b = a * k  # at: multiplied
    return b


def make():
    @njit(debug=True)
    def adder(x):
        y = x + 1  # at: adder
        return y

    return adder


@numba.experimental.jitclass([("total", numba.int64)])
class Counter:
    def __init__(self, total):
        self.total = total

    def add(self, k):
        now = self.total + k  # at: add
        return now


@njit(debug=True)
def counting(n):
    for i in range(n):
        yield i  # at: yield


def main():
    multiplied(np.arange(3.0), 2)
    make()(3)
    Counter(1).add(2)
    list(counting(3))


if __name__ == "__main__":
    main()

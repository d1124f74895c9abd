"""What is typed at the prompt: names that LLVM has too, code without debug information, closures, many arguments."""

import numpy as np
from numba import int64, njit, prange
from numba.experimental import jitclass


@jitclass([("total", int64)])
class Account:
    def __init__(self):
        self.total = 0

    def add(self, x):
        self.total += x
        return self.total


@njit
def bare(v):
    return v * 2 + 1


@njit(debug=True)
def lookup(table, k):
    return table[k]  # at: lookup


@njit(debug=True, inline="always")
def checked(v, limit):
    w = v * 2
    if w > limit:
        raise ValueError("too big")  # at: checked
    return w


@njit(debug=True)
def called(v, limit):
    w = v + 1
    if w > limit:
        raise KeyError("too big")  # at: called
    return w


@njit(debug=True)
def sums(n):
    total = 0
    for i in range(n):
        total += checked(i, 6)  # at: sums
    return total


@njit(debug=True)
def calls(n):
    return called(n * 2, 9) + 1  # at: calls


def scaled_by(factor, offsets, table):
    shift = factor + 1

    @njit(debug=True)
    def scaled(x):
        y = x * factor + offsets[1]  # at: closure
        return y + shift + table.size

    return scaled


@njit(debug=True)
def many(a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7, c0, c1, c2, c3, c4, c5, c6, c7, d0, d1):
    return a0.sum() + d1  # at: many


@njit(debug=True, parallel=True)
def loop(a):
    total = 0.0
    for i in prange(a.shape[0]):
        half = a[i] / 2  # at: body
        total += half
    return total


def failing(function, *arguments):
    try:
        return function(*arguments)
    except (ValueError, KeyError) as error:
        return repr(error)


if __name__ == "__main__":
    print(lookup(np.arange(5.0), 3), bare(5), Account().add(4))
    print(failing(sums, 9), failing(calls, 6))
    print(scaled_by(3, (10, 20), np.zeros(2))(4))
    wide = np.arange(40.0).reshape(8, 5)
    print(many(*[wide] * 8, *range(8), *["a text of some length"] * 8, 0.5, 1.5))
    print(loop(np.arange(8.0)))

"""Compiled functions of all kinds, with debug information and without, for `jitscope names`, and more for each line
of input; stays until it is ended."""

import signal
import sys

import numpy as np
from numba import float64, njit, prange, vectorize
from numba.experimental import jitclass


@njit(debug=True)
def scaled(x, factor):  # at: scaled
    product = x * factor
    return product + 1


@njit(debug=True)
def summed(a):
    total = 0.0
    for value in a:
        total += scaled(value, 3)
    return total


@njit(debug=True, parallel=True)
def spread(a):  # at: spread
    total = 0.0
    for i in prange(a.size):  # at: loop
        total += scaled(a[i], 2) * i
    return total


@njit(parallel=True)
def plain_spread(a):
    for i in prange(a.size):
        a[i] += i
    return a.sum()


@njit
def plain(a):
    return np.sort(a)[0]


@jitclass([("width", float64)])
class Box:
    def __init__(self, width):
        self.width = width

    def area(self, height):
        return self.width * height


@njit(debug=True)
def boxed(width):
    return Box(width).area(2.0)


@njit(debug=True)
def counted(n):
    for i in range(n):
        yield i * i


@njit(debug=True)
def drained(n):
    total = 0
    for value in counted(n):
        total += value
    return total


@vectorize(["float64(float64)"])
def halved(x):
    return x / 2


a = np.arange(100.0)
summed(a), spread(a), plain_spread(a), plain(a), boxed(1.0), Box(2.0).area(3.0), drained(5), halved(a)
# What a hostile program may call its code (LLVM refuses a newline).
evil = {}
exec("def evil(x):\n    return x", evil)
evil["evil"].__qualname__ = evil["evil"].__name__ = "evil\x1b[31m->red\u202e"
njit(evil["evil"])(1)
print("ready", flush=True)
for line in sys.stdin:
    late = {}
    exec(f"def {line.strip()}(x):\n    return x + 1", late)
    njit(late[line.strip()])(1)
    print("compiled", flush=True)
signal.pause()

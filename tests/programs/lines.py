"""Lines that the optimiser copies, merges or removes."""

import sys

import numpy as np
from numba import njit


@njit(debug=True)
def scale(a, b, s):
    out = np.zeros(len(a))
    # at: comment
    for i in range(len(a)):  # at: vectorised-loop
        out[i] = a[i] * s + b[i]  # at: vectorised
    return out


@njit(debug=True)
def total(a):  # at: def
    found = 0.0  # at: first
    for i in range(len(a)):  # at: unrolled-loop
        found += a[i]  # at: unrolled
    return found  # at: after


@njit(debug=True)
def closed(n, b):
    s = 0
    for i in range(n):
        s += b  # at: gone
    return s  # at: behind


@njit(debug=True)
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2:
            n = 3 * n + 1  # at: odd
        else:
            n //= 2  # at: even
        steps += 1  # at: each
    return steps


@njit(debug=True)
def largest(a):
    best, where = a[0], 0
    for i in range(len(a)):
        if a[i] > best:
            best, where = a[i], i
    return where  # at: read-behind


@njit(debug=True)
def mixed(x):
    y = x ^ (x >> 3)  # at: in-line
    return y * 5


@njit(debug=True)
def rolling(a, s):
    for i in range(len(a)):
        s = mixed(a[i] + s)
    return s


@njit(debug=True)
def late(n):
    return n * 2  # at: late


def main():
    data = np.arange(1000.0)
    print(scale(data, data, 3.0)[5], total(data), closed(5, 3), collatz(27))
    print(scale(data, data, 3.0)[5], total(data), closed(5, 3), collatz(27), largest(data))
    print(late(4))
    print(rolling(np.arange(9), 1))


if "twice" in sys.argv:
    total(np.arange(1000, dtype=np.float32))
main()

"""Loops that LLVM replaces by closed forms: sums of powers, of products, of unsigned and of small numbers."""

import numpy as np
from numba import njit, types


@njit(debug=True)
def cubes(n):
    total = 0
    for i in range(n):
        total += i * i * i
    return total


@njit(debug=True)
def products(n, k):
    total = 0
    for i in range(0, n, 3):
        total += (i + k) * (n - i)
    return total


@njit([types.uint64(types.uint64), types.uint32(types.uint32), types.int8(types.int8)], debug=True)
def triangle(n):
    total = n - n
    for i in range(n):
        total += i
    return total


@njit(debug=True)
def down(n):
    total = 0
    for i in range(n, 0, -7):
        total += i * i
    return total


@njit(debug=True)
def until(n):
    i = 0
    while i * i < n:
        i += 1
    return i


@njit(debug=True)
def quartic(n):
    total = 0
    for i in range(n):
        total += i**4 - 3 * i**2
    return total


CALLS = [
    lambda: (cubes(100), cubes(0), cubes(-5), cubes(10**6)),
    lambda: (products(50, 4), products(10**7, -3)),
    lambda: (triangle(np.uint64(10)), triangle(np.uint32(70000)), triangle(np.int8(30))),
    lambda: (down(1000), down(5), down(-5)),
    lambda: until(10**6),
    lambda: (quartic(1000), quartic(10**5)),
]

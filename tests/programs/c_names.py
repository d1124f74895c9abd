"""Functions whose names the C library and C++'s have, and names that only a C library has a variable of."""

import ctypes
import sys

from numba import njit

if len(sys.argv) > 1:
    ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)


@njit(debug=True)
def poll(limit):
    b = limit + 1  # at: poll
    return b


@njit(debug=True)
def insert(v):
    w = v - 1  # at: insert
    return w


@njit(debug=True)
def compare(v):
    w = v - 2  # at: compare
    return w


@njit
def bare(v):
    return v * 3


@njit
def inner(value):
    doubled = value * 2  # at: inner
    return doubled


@njit
def outer(two):
    return inner(two) + two


for count in (1, 50, 9):
    print(poll(count) + insert(count) + compare(count) + bare(count))
print(outer(3))

"""Functions whose numbers go wrong: integers that do not fit in their types, and NaNs."""

import sys

import numpy as np
from numba import njit, prange

import jitscope


@njit
def scan(n):
    total = 1
    for i in range(n):
        total = total * 31 + i  # at: scan
    return total


@njit(error_model="numpy")
def ratio(x, y):
    z = x - y
    return z / z  # at: ratio


@njit
def calls(n):
    return scan(n) + 1


@njit
def store(values, out):
    for i in range(len(values)):
        out[i] = values[i]  # at: store


@njit(parallel=True, error_model="numpy")
def parallel(a, b):
    out = np.zeros(len(a))
    for i in prange(len(a)):
        out[i] = a[i] / b[i]  # at: parallel
    return out


@njit
def elements(a, b):
    return a / b  # at: elements


@njit
def compound(a, b):
    return np.sqrt(a) * b + 1.0  # at: compound


@njit
def closure(x):
    def twice(y):
        return y * 2  # at: closure

    return twice(x) + 1


@njit
def hashed(values):
    seed = np.uint64(14695981039346656037)
    for value in values:
        seed = (seed ^ value) * np.uint64(1099511628211)  # at: hashed
    return seed


@njit
def kinds(x, n, small):
    a = x << n  # at: shift
    b = -small  # at: negation
    c = np.uint8(n)  # at: conversion
    d = x**n  # at: power
    return a, b, c, d


@njit(fastmath=True)
def fast(x):
    return x * x - x


def main():
    print(scan(3), ratio(3.0, 1.0), calls(3), fast(2.0))
    if "stops" in sys.argv:
        jitscope.breakpoint()
    print(scan(14))
    print(calls(14))
    print(ratio(2.5, 2.5))
    out = np.zeros(3, np.int8)
    store(np.array([1, 300, -129]), out)
    print(out)
    print(parallel(np.array([1.0, 0.0]), np.array([2.0, 0.0])))
    print(elements(np.array([1.0, 0.0]), np.array([2.0, 0.0])))
    print(compound(np.array([4.0, -1.0]), np.array([2.0, 3.0])))
    print(closure(2**62))
    print(fast(float("inf")))
    print(hashed(np.arange(2, dtype=np.uint64)))
    print(kinds(2**61, 2, np.int8(-128)))
    print(kinds(-3, -1, np.int8(5)))
    if "stops" in sys.argv:
        jitscope.breakpoint()
    print(scan(14), flush=True)


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        main()
    sys.exit(0)

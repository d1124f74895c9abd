"""Answers lines `WORK`: runs it once, and writes the seconds that it took. Arrays are made in Python and in compiled
code, and read in a loop."""

import sys
import time

import numpy as np
from numba import njit

MADE = 1000


@njit
def read(a):
    total = 0.0
    for x in a:
        total += x * x
    return total


@njit
def made(n):
    total = 0.0
    for i in range(n):
        total += np.ones(200)[i % 200]
    return total


@njit
def other():
    return np.ones(3)


def made_by_numpy(n):
    for _ in range(n):
        np.ones(200)


def main():
    a = np.ones(1_000_000)
    works = {
        "read": lambda: [read(a) for _ in range(20)],
        "made": lambda: made(MADE),
        "made by NumPy": lambda: made_by_numpy(MADE),
    }
    other()
    for work in works.values():
        work()
    for line in sys.stdin:
        start = time.perf_counter()
        works[line.strip()]()
        print(time.perf_counter() - start, flush=True)


main()

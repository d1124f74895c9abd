"""A service whose functions are compiled with a plain @njit, for a debugger that comes while it runs."""

import time

import numpy as np
from numba import njit


@njit
def weight(x, j):
    w = x * 2.0
    if j == 13:
        w += 100.0
    return w


@njit
def scan(a, n):
    total = 0.0
    for j in range(n):
        v = weight(a[j % a.size], j)
        total += v
    return total


def main():
    a = np.arange(10.0)
    scan(a, 20)
    print("ready", flush=True)
    while True:
        scan(a, 20)
        time.sleep(0.05)


main()

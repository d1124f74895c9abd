"""Scenario E1: a process that works in JIT code and never heard of a debugger. It ends by itself after two minutes."""

import time

import numpy as np
from numba import njit


@njit(debug=True)
def tally(a, k):
    b = k + 1
    s = 0.0
    for i in range(a.size):
        s += a[i] * b
    t = (k, b, s)  # at: tuple
    print_every = 1000000
    return t[2] + print_every  # at: return


def main():
    a = np.arange(1000.0)
    tally(a, 123)
    print("ready", flush=True)
    end = time.monotonic() + 120
    while time.monotonic() < end:
        tally(a, 123)  # at: call


main()  # at: main

"""Loops that keep elements of arrays in registers. A thread runs one for ever; with "call" several run and end."""

import sys
import threading
import time

import numpy as np
from numba import njit


@njit(debug=True, nogil=True)
def count(part):
    n = 0
    while part[0] == 0.0:  # at: the loop
        n += 1
        part[2] += 1.0  # at: adds
        if n > 10**12:
            break
    return n


@njit(debug=True, nogil=True)
def outer(whole, other):
    part = whole[2:5]
    other[0] = 5.0
    other[1] = count(part)
    return other


@njit(debug=True)
def add(sums, given, n):
    low = given[1]
    for i in range(n):  # at: the range
        sums[1] += low + i % 7  # at: sums up
    sums[3] = 1.0  # at: behind
    return sums


@njit(debug=True)
def follow(made, n):
    for i in range(1, n):
        made[i] = made[i - 1] % 5.0 + 2.5  # at: follows
        if made[i] > 1e9:  # at: tests
            break
    return made


def wait(whole, other, record):
    print("ready", flush=True)
    while True:
        time.sleep(0.05)  # at: waits


if __name__ == "__main__":
    whole, other = np.ones(8), np.ones(4)
    outer(whole, other)
    if sys.argv[-1] == "call":
        add(np.zeros(5), np.arange(50.0), 50)
        follow(np.zeros(60), 60)
    else:
        whole[:] = 0.0
        threading.Thread(target=outer, args=(whole, other), daemon=True).start()
        wait(whole, other, {"whole": whole, "n": 3})

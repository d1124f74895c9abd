"""Found at seed 71001: beside an array comprehension Numba removes stores to an array that a jitclass keeps, and to
items that only `len` reads behind them. The program then runs with the older elements."""

import numpy as np
from numba import float64, int64, njit
from numba.experimental import jitclass


@jitclass([("n", int64), ("v", float64[:])])
class Box:
    def __init__(self, n):
        self.n = n
        self.v = np.zeros(2)


@njit(debug=True)
def kept(arg, is_new):
    box = Box(3)
    box.v[1] = box.n * 0.5
    if is_new:
        other = np.zeros(5)
    else:
        other = np.array([q * 0.5 for q in range(5)])
    for k in range(1, arg):
        if k == 2:
            box.n += 2
    return other[1] + arg


@njit(debug=True)
def kept_in_a_loop(arg):
    box = Box(arg)
    table = np.array([q * 2 for q in range(3)])
    k = 0
    while True:
        table[1] = k
        k += 1
        box.v[k % 2] = box.n * 0.5
        if k > 2:
            break
    return table[1] + box.n


@njit(debug=True)
def items(arg):
    counts = {1: 0.5}
    counts[1] = 2.5
    parts = np.array([q + arg for q in range(3)])
    counts[7] = parts[1] * 0.5
    size = len(counts)
    return size + arg


CALLS = [
    lambda: kept(2, True),
    lambda: kept(4, False),
    lambda: kept_in_a_loop(3),
    lambda: items(2),
]

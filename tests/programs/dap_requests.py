"""A function that is inlined into another, arrays whose elements are written, and an interpreted caller."""

import numpy as np
from numba import njit, types
from numba.experimental import jitclass


@jitclass([("n", types.int64), ("data", types.float64[:])])
class Box:
    def __init__(self, data):
        self.n = 1
        self.data = data


@njit
def helper(x, k):
    y = x * k  # at: helper
    return y


@njit
def work(values, flags, two):
    total = 0.0
    for i in range(two):
        total += helper(values[i], i)
    return total + flags[0]  # at: end


@njit
def records(rows, box):
    row = rows[1]
    label = (row.n, "text")
    turn = complex(row.n, 1)
    return turn.real + row.n + label[0] + box.n + box.data[1]  # at: row


def main(number):
    name = "text"
    flags = np.array([True, False])
    result = work(np.arange(4.0), flags, number)
    rows = np.array([(1, 0.5), (2, 1.5)], dtype=[("n", "i8"), ("q", "f8")])
    last = records(rows, Box(np.arange(3.0)))
    return name, result, flags.view("u1"), last


print(main(3))

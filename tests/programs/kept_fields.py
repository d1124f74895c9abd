"""Loops that keep attributes, fields of records and items of lists in registers."""

import numpy as np
from numba import float64, njit
from numba.experimental import jitclass


@jitclass([("total", float64)])
class Sum:
    def __init__(self):
        self.total = 0.0

    def add(self, value):
        self.total += value


@njit(debug=True)
def attribute(kept, given):
    for i in range(given.size):
        kept.total += given[i]  # at: attribute
    return kept.total


@njit(debug=True)
def method(kept, given):
    for i in range(given.size):
        kept.add(given[i])  # at: method
    return kept.total


@njit(debug=True)
def field(kept, given):
    for i in range(given.size):
        kept["x"] += given[i]  # at: field
    return kept.x


@njit(debug=True)
def item(given):
    kept = [1.0, 2.0, 3.0]
    for i in range(given.size):
        kept[0] += given[i]  # at: item
    return kept[0]


@njit(debug=True)
def member(kept, given):
    for i in range(given.size):
        kept[0][1] += given[i]  # at: member
    return kept[0]


@njit(debug=True)
def unread(n):
    kept = np.zeros(4)
    low = n * 2.0
    other = np.array([low * x for x in range(n)])
    kept[0] += 3.0
    total = other.sum()  # at: unread
    return total


if __name__ == "__main__":
    given = np.ones(50)
    attribute(Sum(), given)
    method(Sum(), given)
    field(np.zeros(1, [("x", np.float64), ("n", np.int64)])[0], given)
    item(given)
    member((np.zeros(3), np.zeros(2)), given)
    unread(5)

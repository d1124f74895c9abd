"""Sums by key: a dict of numbers and lists of arrays; keys that are tuples."""

import numpy as np
from numba import njit
from numba.typed import List


@njit(debug=True)
def groups(keys, values):
    sums = {}
    for i in range(len(keys)):
        k = (keys[i], values[i] > 2.0)
        if k not in sums:
            sums[k] = 0.0
        sums[k] += values[i]
    parts = List()
    for key in sums:
        part = values[keys == key[0]]
        parts.append(part)
    longest = 0
    for part in parts:
        longest = max(longest, part.size)
    total = 0.0
    for value in sums.values():
        total += value
    return len(sums), longest, total


CALLS = [lambda: groups(np.array([1, 2, 1, 2]), np.array([1.0, 2.0, 3.0, 4.0]))]

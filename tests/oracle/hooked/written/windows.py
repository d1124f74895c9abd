"""Means of moving windows by a generator; it ends early."""

import numpy as np
from numba import njit


@njit(debug=True)
def windows(values, width):
    total = 0.0
    for i, v in enumerate(values):
        total += v
        if i >= width:
            total -= values[i - width]
        if i >= width - 1:
            yield i, total / width


@njit(debug=True)
def first_above(values, width, limit):
    at = -1
    for i, mean in windows(values, width):
        if mean > limit:
            at = i
            break
    return at


CALLS = [lambda: first_above(np.array([1.0, 2.0, 6.0, 8.0, 1.0]), 2, 3.5), lambda: first_above(np.ones(3), 2, 3.5)]

"""What unoptimised code clears after its last use, and tells by the loop's own words or by a test."""

# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit


@njit(debug=True)
def ranges(a, n):
    total = 0
    for i in range(a, a + 3):
        first = i * 2
        total += first
        for j in range(n % 4, 0, -1):
            k = 7
            total += a
        for m in range(-2, 5, 2):
            total += 1
            if total > 40:
                break
        if n > 2:
            kind = 3 if n % 2 == 0 else a
        elif n < 0 and a > 1:
            kind = -1
        total += 1
    for i in range(2):
        total += 1
    return total


@njit(debug=True)
def items(values):
    total = 0.0
    for i, item in enumerate(values):
        twice = i * 2
        total += item
        for j in range(2):
            total += 0.5
    for other in values:
        half = other * 0.5
        total += 1.0
    return total


CALLS = [
    lambda: ranges(2, 4),
    lambda: ranges(0, 3),
    lambda: ranges(-3, -1),
    lambda: ranges(5, 0),
    lambda: items(np.array([1.5, -2.0, 0.25])),
    lambda: items(np.zeros(0)),
]

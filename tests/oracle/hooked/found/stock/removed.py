"""Found at seed 880100, and later: beside an array comprehension Numba removes assignments that nothing reads."""

import numpy as np
from numba import njit


@njit(debug=True)
def swapped(arg):
    a = np.array([q * 2 for q in range(3)])
    first = 0
    for _ in range(3):
        first += arg
    second = 0
    for k in range(arg):
        second += 2 * k + 1
    first, second = second, first
    left = first % 7
    unread = -4  # noqa: F841
    return left * 0.5 + a[1]


@njit(debug=True)
def chosen(arg):
    a = np.array([q + arg for q in range(3)])
    kept = arg * 3
    if arg > 2:
        kept = a[0] + 7
    last = a[2]
    if arg > 3:
        last = a[1]
        kept = last - 1  # noqa: F841
    done = last + 1
    return done


@njit(debug=True)
def passed(left, right):
    if right < -2:
        a = np.array([q * 0.5 for q in range(4)])  # noqa: F841
    left, right = right, left
    total = 0
    for i in range(3):
        total += i
    return total


@njit(debug=True)
def renewed(arg):
    a = np.array([q * 0.5 for q in range(5)])
    if arg == arg:
        arg = 1 - arg
        arg += 6
    for i in range(1, 2):
        arg -= i
        arg = min(9, 7) % 7
        a = np.zeros(len(a))
    return len(a) + arg


CALLS = [
    lambda: passed(0, -1),
    lambda: passed(4, 0),
    lambda: swapped(4),
    lambda: renewed(-3),
    lambda: chosen(1),
    lambda: chosen(3),
    lambda: chosen(5),
]

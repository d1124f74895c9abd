"""Arguments that are assigned before anything reads them: a swap whose other half is dead, another type."""

import numpy as np
from numba import njit


@njit(debug=True)
def half(arg, brg):
    turn = 0
    while turn < 2:
        turn += 1
        arg += turn
    arg, brg = brg, arg
    unread = np.array([q * 2 for q in range(5)])  # noqa: F841
    return brg * 2


@njit(debug=True)
def typed(n, text, k=7):
    total = n + 1
    text = total * 0.5
    k = text
    n = 3
    return k + n


@njit(debug=True)
def wide(arg, crg):
    left = "xyz"
    left = crg[1]
    for item in crg:
        arg += item
    return left + arg


@njit(debug=True)
def other(values, n):
    values = np.zeros(n)
    for i in range(n):
        values[i] = i * 2
    return values.sum()


@njit(debug=True)
def left_out(n, k=7, flag=True, none=None):
    turn = 0
    while turn < 2:
        turn += 1
        n += turn
    k = n * 2
    flag = k
    none = flag + 1
    unread = np.array([q * 2 for q in range(5)])  # noqa: F841
    return none


CALLS = [
    lambda: half(2, 4),
    lambda: typed(4, "a"),
    lambda: typed(4, 2, 9),
    lambda: wide(3, np.arange(5) * 0.75),
    lambda: left_out(2),
    lambda: left_out(3, 4, False, None),
    lambda: other(np.ones(2), 3),
]

"""Of unoptimised code: what follows from other variables, or from the caller, where it is cleared or never kept."""

# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit


@njit(debug=True)
def passed(arg, brg, crg, drg):  # the third and later objects lie on the stack
    turn = 0
    while True:
        turn += 1
        if turn > 1:
            break
        ret = brg
    for i in range(3):
        turn += arg
    return brg


@njit(debug=True)
def parts(arg, crg):
    v = ((7) // -2, (-0.75) * (-4.25))
    w = ((arg if arg > 3 else 5), 4.0)
    y = (arg if crg else 2) // 3
    arg += 1
    for i in range(2):
        y -= 5
        arg += 1
    return arg


@njit(debug=True)
def views(row, grid, n):
    a = row[1:]
    b = row[::-1]
    c = row[-2:]
    d = row[7:-1:2]
    e = grid[1]
    f = grid[:, 0]
    g = grid[-1:, ::2]
    h = row[5::-2]
    own = np.arange(6)
    if n > 1:
        k = own[:2]
    row = row[:1]
    m = n + 1
    return m + own[0]


@njit(debug=True)
def dead(arg, brg, row):  # Numba takes out what nothing reads, as there is an array comprehension
    a1 = np.array([q * 2 for q in range(4)])
    u = (4.25 * (-3.25)) * (brg * 0.5)
    v = (arg, 4.5 * (-4.0))
    w = (arg, arg // 3, 7)
    x = arg > 2 or not arg < len(row)
    y = 3
    for i in range(3):
        y = i if x else arg
        z = y * 2
    if arg > 1:
        k = arg + 1
    return a1[0] + arg


CALLS = [
    lambda: dead(1, 2.5, np.ones(2)),
    lambda: dead(2, 0.5, np.ones(0)),
    lambda: views(np.arange(8)[::2], np.arange(6.0).reshape(3, 2), 2),
    lambda: views(np.arange(1), np.arange(12.0).reshape(3, 4)[:, ::-1], 1),
    lambda: views(np.arange(0), np.ones((3, 2), order="F"), 0),
    lambda: passed(1, 2.5, False, True),
    lambda: passed(4, -0.25, True, False),
    lambda: parts(1, True),
    lambda: parts(5, False),
]

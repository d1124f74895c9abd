"""A generated program. What it found wrong once: a store of a loop, made below it, that is of no line."""
# ruff: noqa

import math

import numpy as np
from numba import njit, prange


@njit(debug=True)
def work0(arg, brg, crg):
    turn1 = 0
    while turn1 < 2:
        turn1 += 1
        turn2 = 0
        while True:
            turn2 += 1
            if turn2 > 3:
                break
            for i in range(1, 0, -1):
                a3 = np.arange(4)
        turn2 = turn2 % 3 == 0
    turn4 = 0
    while turn4 < 2:
        turn4 += 1
        turn1 += turn4
        u = (turn4, ((arg) // 2) % 97, 1)
    a5 = np.ones((2, 2))
    best = turn4 < turn4 and arg % 2 == 1
    return (crg) / 4.0


@njit(debug=True)
def work1(arg, brg, crg, drg):
    s1 = 0
    for i2 in range(arg % 5):
        s1 += arg
    s1 = brg[1, -1]
    f3 = -3
    for i4 in range(drg):
        f3 = f3 * 0.5 + i4
    turn5 = 0
    while True:
        turn5 += 1
        if turn5 > 1:
            break
        brg[1, 1] = 3.0 if arg <= arg else 2.75
        f3 += math.sqrt(abs(-1.25))
    return (f3) - (f3) + s1


CALLS = [
    lambda: work0(-2, np.ones((2, 3)), 2.75),
    lambda: work0(-2, np.arange(6.0).reshape(3, 2), 1.5),
    lambda: work1(1, np.ones((2, 3)), np.arange(6.0).reshape(3, 2), 2),
    lambda: work1(-3, np.ones((2, 3)), np.ones((2, 3)), 5),
    lambda: work1(2, np.arange(6.0).reshape(3, 2), np.ones((2, 3)), 5),
]

"""Found at seed 61001: an array comprehension makes Numba rename its blocks, and a block gets another's label. What is
left of `turn -= arg`, which Numba removes, was put into the next loop."""

# ruff: noqa: B007, C416, F841 (what is assigned need not be read to be shown)

import math

import numpy as np
from numba import njit


@njit(debug=True)
def small(n):
    return math.sqrt(abs(n))


@njit(debug=True)
def work(arg, brg, crg, far):
    both = (np.zeros(2), [1.5])
    seen = {5}
    turn = 0
    while True:
        turn += 1
        if turn > 0:
            both[1][0] = 2.5
            break
        v = -4.0
    seen.add(len(seen) * 3)
    seen.discard(5)
    for i in range(arg):
        first = i * 5 + 1
        turn += first
    view = brg[1:]
    f = 0
    for i in range(4):
        f = f * 0.5 + i
    turn -= arg
    for k in range(2):
        crg[far] += 1.0
        for j in range(arg % 4, 0, -1):
            g = -1
            for i in range(arg % 3):
                g = g * 0.5 + i
            if f <= f:
                crg[-1] = -3.5
                a = np.array([q * 2 for q in range(4)])
            else:
                one = small(2.75)
    return math.sqrt(abs(f))


CALLS = [
    lambda: work(5, np.arange(5) * 0.75, np.linspace(0.0, 4.0, 9), 0),
    lambda: work(0, np.arange(3) * 0.5, np.array([1.5, -2.0, 0.25]), 0),
]

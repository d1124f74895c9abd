"""Found at seed 71001: LLVM makes a store that faults ahead of the loop. The address leads to one argument, and other
statements access what other arguments lead to."""

import numpy as np
from numba import njit


@njit(debug=True)
def small(n, k):
    total = 0
    for i in range(n):
        total += i * k
    return total


@njit(debug=True)
def work(arg, brg, crg, drg, brink, far):
    for j in range(1):
        drg += j
        brink[far] = 2.0
        if brg:
            break
    s1 = 0
    if brg:
        arg = small(0 % 4, drg % 4) % 7
        s1 = small(arg % 7, s1 % 7)
    else:
        s1 = small(arg % 7, len(crg))
    return s1 + crg[0]


@njit(debug=True)
def enumerated(arg, brg, brink, far):
    p1, q2 = (arg, 4.75)
    view3 = brg[:2]
    for _, item in enumerate(brg):
        brink[far] += 1.0
        q2 += item
        arg, p1 = (p1, arg)
    return view3[1] + q2 + p1


CALLS = [
    lambda: work(2, False, np.arange(3), 3, np.ones(3), 0),
    lambda: work(2, True, np.arange(3), 1, np.ones(3), 0),
    lambda: enumerated(1, np.array([1.5, -2.0, 0.25]), np.ones(3), 0),
]
FAULT = lambda: work(2, False, np.arange(3), 3, np.ones(3), 1 << 40)  # noqa: E731

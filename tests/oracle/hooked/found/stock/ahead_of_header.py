"""Found at seed 91001: LLVM makes the test of a statement in a loop, where it is the same in each iteration, ahead of
the loop's header."""

# ruff: noqa: F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit


@njit(debug=True)
def work(arg, brg):
    w = (6, -3.0)
    s = 0
    for i in range(arg % 4):
        s += i
    k = 0
    while k < arg % 3:
        k += 1
        if k < s:
            raise ValueError("no")
        if arg <= 0:
            raise IndexError("no")
    view = brg[:, 0]
    for j in range(arg):
        s -= j
    n = 0
    while n < arg % 3:
        n += 1
        if n % 2 == 1:
            continue
    return 7 % 3 + n


CALLS = [
    lambda: work(4, np.arange(6.0).reshape(3, 2)),
    lambda: work(0, np.ones((2, 3))),
    lambda: work(-3, np.arange(6.0).reshape(3, 2)),
]

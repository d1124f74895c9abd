"""Found at seed 95001 and NUMBA_OPT=3: an element that a view stores to later is not filled where the array is made."""

# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit


@njit(debug=True)
def used(n):
    a1 = np.ones((3, 2))
    for i in range(n):
        a1[i % 3, i % 2] = 77.0
    return a1.sum()


@njit(debug=True)
def work(x, y):
    array = -5.0
    a2 = np.ones((3, 2))
    array += array / -8.0
    s5 = 0
    for i6 in range(4):
        s5 += 2 * i6 + 1
    view7 = a2[-1]
    view7[s5 % len(view7)] += array - array
    return x - s5


CALLS = [lambda: used(9), lambda: work(-2, (5, 0.75)), lambda: used(8), lambda: work(-2, (-1, 1.25))]

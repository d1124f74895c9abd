"""Arrays that a call changes, lists held twice, arrays and views that outlive the function that makes them."""

import numpy as np
from numba import njit
from numba.typed import List


@njit(debug=True)
def bump(a, by):
    for i in range(a.size):
        a[i] += by
    return a


@njit(debug=True)
def twice(n):
    a = np.zeros(n)
    b = bump(a, 1.0)
    c = bump(b[1:], 2.0)
    a = np.ones(2)
    return b, c, a


@njit(debug=True)
def pool(n):
    held = List()
    for i in range(n):
        a = np.full(4, i)
        held.append(a[1:3])
    first = held[0]
    held.clear()
    return first, len(held)


@njit(debug=True)
def overwritten(n):
    a = np.arange(n)
    for i in range(n):
        a = a[::-1].copy()
        a[i] = 100 * i
        if i == 2:
            kept = a
        b = a
        a = b + 1
    return a, kept, b


@njit(debug=True)
def passed(fail, n):
    a = np.ones(n)
    held = [a, a[:1]]
    if fail:
        raise ValueError("held", n)
    held.append(held.pop(0) * 2)
    return held[1]


CALLS = [
    lambda: twice(4),
    lambda: pool(5),
    lambda: overwritten(4),
    lambda: passed(False, 3),
    lambda: passed(True, 3),
]

"""Loops with an else, early returns, chained comparisons, and a search by halves."""

import numpy as np
from numba import njit


@njit(debug=True)
def bisect(a, x):
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        if a[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


@njit(debug=True)
def prime(n):
    for d in range(2, n):
        if d * d > n:
            return True
        if n % d == 0:
            break
    else:
        return n > 1
    return False


@njit(debug=True)
def both(a, limit):
    found = 0
    tries = 0
    while tries < limit:
        x = tries * 2 + 1
        at = bisect(a, x)
        if 0 < at < len(a) and a[at] == x:
            found += 1
        elif prime(x):
            found += 10
        tries += 1
    else:
        found += 100
    return found


CALLS = [lambda: both(np.array([1, 3, 4, 9]), 4)]

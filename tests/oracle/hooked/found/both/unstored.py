"""What a program found wrong once: a store to an array that nothing reads any more, which Numba removes, while the line
keeps code that reads for it; beside an array comprehension, at NUMBA_OPT=0 too."""

import numpy as np
from numba import njit


@njit(debug=True)
def behind(n):
    a = np.array([q * 2 for q in range(5)])
    k = n if n > 2 else 8
    a[k % len(a)] += 8
    total = 0
    for _ in range(n):
        total += 3
    return total - 4.5


@njit(debug=True)
def in_loops(n):
    a = np.array([q * 2 for q in range(4)])
    total = 0
    for i in range(n):
        a[i % len(a)] = -7 % 97
        total += i
    for i in range(n):
        a[i % len(a)] = i
        total -= 1
    return total


@njit(debug=True)
def kept(n):
    a = np.array([q * 2 for q in range(4)])
    b = np.zeros(3)
    a[n % 4] += 8
    b[1] = a[n % 4]
    b[2] += 1.0
    total = b[1] + n
    return total


CALLS = [lambda: behind(3), lambda: behind(1), lambda: in_loops(3), lambda: kept(2)]

"""What a program found wrong once at NUMBA_OPT=3: stores outside of loops that LLVM makes one of, later than their
lines, or exchanges with their neighbours."""

import numpy as np
from numba import njit


@njit(debug=True)
def pairs(n, q):
    x = n * 2.0
    q[0] = x
    q[1] = x + 1
    q[2] = 5.0
    q[3] = 6.0
    y = q[0] + n
    q[0] = y
    z = q[1] * y
    q[1] = z
    q[2] = z * y
    return z


@njit(debug=True)
def halves(a, n):
    left = a[:2]
    right = a[2:]
    left[0] = n
    left[1] = n + 1
    right[0] = left[0] * 3
    if n > 2:
        right[1] = 8.0
        a[0] = right[1]
    else:
        a[1] = 9.0
    last = a[1] + right[0]
    a[3] = last
    return last


CALLS = [
    lambda: pairs(10, np.zeros(4)),
    lambda: pairs(1, np.arange(4.0)),
    lambda: halves(np.arange(4.0), 5),
    lambda: halves(np.arange(4.0), 1),
]

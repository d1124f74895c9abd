"""What programs found wrong once with generators at NUMBA_OPT=0: variables that a `yield` has not kept were called
unassigned; at each `next` the line that the compiler had compiled last stopped."""

import numpy as np
from numba import njit


@njit(debug=True)
def counting(n):
    a, b = 0, 1
    for i in range(n):
        c = a * 2
        yield a + c + i
        a, b = b, a + b
    yield -1


@njit(debug=True)
def pairs(values):
    before = values[0]
    for v in values[1:]:
        yield before, v
        before = v


@njit(debug=True)
def summed(n, values):
    s = 0.0
    for v in counting(n):
        s += v
    for a, b in pairs(values):
        d = b - a
        s += d
    return s


CALLS = [lambda: summed(3, np.array([1.0, 2.0, 0.5, 4.0]))]

"""What an `except` reaches before a `try` has used it for the last time: Numba deletes each of its versions there, also
those without a value."""

import numpy as np
from numba import njit


@njit(debug=True)
def listed(b):
    reals = [0.5]
    try:
        if b != 3:
            raise IndexError("no")
        reals[0] = reals[-1] - 1.5
    except Exception:
        b += 1
    s = 0
    t = [4, 5, 6]
    for i in range(4):
        s += b * i
    return s + len(t)


@njit(debug=True)
def held(a, k):
    both = (np.zeros(2), [1.5])
    view = a[1:]
    try:
        both[0][0] += 1.0
        if k % 2 == 0:
            raise ValueError("no")
        both[1][0] = 2.5 + view[0]
    except Exception:
        k += 1
    other = np.ones(2)
    last = [2.5]
    k += len(last) + len(other)
    return k


CALLS = [lambda: listed(2), lambda: listed(3), lambda: held(np.arange(3.0), 2), lambda: held(np.arange(3.0), 1)]

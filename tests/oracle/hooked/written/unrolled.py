"""literal_unroll over a tuple of several types, and literally."""

import numpy as np
from numba import literal_unroll, literally, njit


@njit(debug=True)
def total(given):
    s = 0.0
    n = 0
    for x in literal_unroll(given):
        y = x * 2
        s += y
        n += 1
    return s, n


@njit(debug=True)
def names():
    found = 0
    for name in literal_unroll(("a", "bc", "def")):
        found = found * 10 + len(name)
    return found


@njit(debug=True)
def kinds(t):
    out = 0
    for x in literal_unroll(t):
        if isinstance(x, int):
            out += 1
        elif isinstance(x, float):
            out += 10
        else:
            out += 100
    return out


@njit(debug=True)
def of(n, a):
    literally(n)
    s = 0
    for i in range(n):
        s += a[i]
    return s


CALLS = [
    lambda: total((1, 2.5, np.int8(3), np.float32(1.5))),
    names,
    lambda: kinds((1, 2.0, "x", 4, 5.5)),
    lambda: of(3, np.arange(5)),
]

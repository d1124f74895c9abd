"""Object mode: whole functions with forceobj, and blocks with objmode."""

import numpy as np
from numba import jit, njit, objmode, types


@jit(forceobj=True, debug=True)
def texts(values):
    found = {}
    for v in values:
        key = str(round(v, 2))
        found.setdefault(key, []).append(v)
    total = 0
    for i in range(5):
        total += i
    return found, total


@jit(forceobj=True, debug=True, looplift=False)
def bad(n):
    kept = [n]
    for i in range(n):
        kept.append(i)
        if i == 2:
            raise KeyError("two", kept)
    return kept


@njit(debug=True)
def block(a, n):
    total = 0.0
    for i in range(n):
        with objmode(x="float64", b="float64[:]"):
            x = float(str(round(a[i], 1)))
            b = np.sort(a)[::1].copy()
        total += x + b[0]
    return total, b


@njit(debug=True)
def failing(n):
    held = np.ones(n)
    with objmode(y=types.int64):
        y = int("17" if n < 3 else "x")
    return y + held.sum()


CALLS = [
    lambda: texts([1.0, 2.001, 2.0]),
    lambda: bad(2),
    lambda: bad(4),
    lambda: block(np.array([3.14, 1.55]), 2),
    lambda: failing(2),
    lambda: failing(5),
]

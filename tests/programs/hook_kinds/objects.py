"""Object mode: a whole function, its lifted loop, and a block of a compiled function."""

import numba
from numba import njit, objmode


@numba.jit(forceobj=True, debug=True)
def loose(a, b):
    c = a + b
    text = str(c)
    if len(text) > 1:
        c = text
    d = [a, c]
    return float(len(d) + len(text))


@numba.jit(forceobj=True, looplift=True, debug=True)
def lifting(n):
    seen = {"n": n}
    s = 0
    for i in range(n):
        t = i * 2
        s += t
    behind = s + len(seen)
    return float(behind)


@njit(debug=True)
def mixed(n):
    before = n * 2
    with objmode(y="int64"):
        x = before + 1
        y = x * 2
    after = y + before
    return after


CALLS = [lambda: loose(3, 4), lambda: loose(30, 4), lambda: lifting(4), lambda: mixed(5)]

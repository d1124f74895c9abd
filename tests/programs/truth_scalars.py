"""Debuggees of the truth oracle: scalars, branches, early return, types that change."""

import numpy as np
from numba import njit


@njit(debug=True)
def scalars(a, f):
    b = a + 1
    c = f * 2.5
    d = b * c
    e = b - a
    return d + e


@njit(debug=True)
def branch(k, f):
    if k > 3:
        high = k * 2
        pick = f + 1.0
    else:
        low = k - 1
        pick = f - low
    total = pick * 2.0
    if total > 4.0:
        note = total - 4.0
        total = total + note
    return total


@njit(debug=True)
def early(k, limit):
    spare = limit - k
    if k < 0:
        return spare
    rest = spare * 2
    if rest > limit:
        over = rest - limit
        return over
    last = rest + 1
    return last


@njit(debug=True)
def retyped(a):
    x = a
    y = x + 1
    x = x + 1.5
    z = x * 2
    x = (a, z)
    w = x[0] + x[1]
    return w + y


@njit(debug=True)
def truths(a, flag):
    big = a > 10
    both = big and flag
    neither = not (big or flag)
    count = 0
    if both:
        count += 1
    if neither:
        count += 2
    other = both
    return count + other


@njit(debug=True)
def single(f, k):
    g = f * np.float32(2)
    h = g + np.float32(k)
    small = np.int8(k)
    wide = np.uint32(small) + np.uint32(1)
    z = complex(h, g)
    return z.real + wide


@njit(debug=True)
def deleted(a, b):
    gone = a * 3
    keep = gone + b
    dead = keep * 2
    more = keep - a
    gone = more + 1
    tail = gone * keep
    return tail


CASES = {
    "scalars": lambda: scalars(3, 2.5),
    "branch": lambda: (branch(5, 1.5), branch(2, 1.5)),
    "early": lambda: (early(-2, 9), early(1, 9), early(8, 9)),
    "retyped": lambda: retyped(4),
    "truths": lambda: (truths(12, True), truths(3, False)),
    "single": lambda: single(np.float32(1.25), 7),
    "deleted": lambda: deleted(5, 11),
}

"""A function of many lines and variables, so that registers run out, with a loop in the middle."""

import numpy as np
from numba import njit


@njit(debug=True)
def long(a, n):
    b = a[0] + 1
    c = b * 2
    d = c - a[1]
    e = d / 3
    f = e * e
    g = f + b
    h = g - c
    i = h * d
    j = i + e
    k = j - f
    l = k * 0.5
    m = 0
    for t in range(n):
        b, c, d, e = c + t, d - t, e * 1.5, b - 1
        f += b * c
        g -= d * e
        h, i = i * 0.5, h + 1
        for u in range(t):
            j += u * b
            k -= u * c
            m += u
        l = max(l, j - k)
    o = b + c + d + e
    p = f * g - h * i
    return o, p, j, k, l, m, t


CALLS = [lambda: long(np.array([1.5, 2.5]), 12), lambda: long(np.array([0.0, -1.0]), 1)]

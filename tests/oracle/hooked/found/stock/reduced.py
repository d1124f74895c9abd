"""At NUMBA_OPT=0 the function that starts the loop adds up what threads have reduced: that had the line of `c += 1`,
and ran where no iteration does."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def reds(a, n):
    s = 0.0
    mx = 0.0
    mn = 9.0
    for i in prange(n):
        s += a[i]
        mx = max(mx, a[i])
        mn = min(mn, a[i])
    out = np.zeros(n)
    for j in prange(n):
        out[j] = a[j] * 2
    return s + mx + mn, out


@njit(debug=True, parallel=True)
def red2(a, n, k):
    s = 1.0
    c = 0
    if k > 1:
        s = 2.0
    for i in prange(n):
        t = a[i] * 2
        if t > k:
            c += 1
        s += t
    k2 = s * 2
    s += 3
    for j in prange(n):
        s += a[j]
        c *= 2
    s = s - 1
    c = c + k2
    return s, c


@njit(debug=True, parallel=True)
def red3(a, n):
    p = 1.0
    for q in range(3):
        for i in prange(n):
            p *= a[i]
        r = p + q
    p += r
    return p


CALLS = [
    lambda: reds(np.arange(8) * 0.5 + 1, 8),
    lambda: reds(np.arange(8) * 0.5 + 1, 0),
    lambda: red2(np.arange(5) * 0.5, 5, 3),
    lambda: red2(np.arange(5) * 0.5, 0, 0),
    lambda: red3(np.arange(4) + 1.0, 4),
    lambda: red3(np.arange(4) + 1.0, 0),
]
FAULT = None

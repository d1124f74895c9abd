"""Functions of math and of NumPy on numbers, in loops that LLVM may vectorise."""

import math

import numpy as np
from numba import njit


@njit(debug=True)
def each(a):
    out = np.empty(a.size)
    peak = -math.inf
    for i in range(a.size):
        x = a[i]
        y = math.sin(x) ** 2 + math.cos(x) ** 2
        z = math.sqrt(abs(x)) * math.exp(-x) + math.floor(x) - math.ceil(y)
        w = math.atan2(x, y) + math.hypot(x, z) + math.copysign(1.0, x)
        out[i] = w + np.log1p(abs(z))
        peak = max(peak, out[i])
    return out, peak, w


@njit(debug=True)
def roots(x, n):
    lo, hi = 0.0, max(1.0, x)
    for k in range(n):
        mid = (lo + hi) / 2
        if mid * mid * mid < x:
            lo = mid
        else:
            hi = mid
        if hi - lo < 1e-12:
            break
    return mid, k


@njit(debug=True)
def whole(n):
    f = math.gcd(n, 36)
    s = 0
    for i in range(1, n):
        s += math.gcd(i, n) * round(i / 3) - int(math.log2(i))
        s += math.trunc(-i / 2)
    return f, s, math.factorial(7) if n > 3 else 0


@njit(debug=True)
def domain(x):
    y = math.sqrt(x)
    z = math.log(x + 1)
    return y, z


CALLS = [
    lambda: each(np.linspace(-5, 5, 101)),
    lambda: roots(27.0, 100),
    lambda: whole(60),
    lambda: domain(-2.0),
    lambda: domain(4.0),
    lambda: each(np.array([np.nan, np.inf, -0.0])),
]

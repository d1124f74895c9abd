"""A root finder: closures over arrays, functions as arguments, optional results, star arguments."""

import numpy as np
from numba import njit


def make_poly(coefs):
    @njit(debug=True)
    def poly(x):
        acc = 0.0
        for c in coefs:
            acc = acc * x + c
        return acc

    return poly


CUBIC = make_poly((1.0, 0.0, -2.0, -5.0))


@njit(debug=True)
def bisect(f, lo, hi, tol=1e-2, most=8):
    f_lo, f_hi = f(lo), f(hi)
    if f_lo * f_hi > 0:
        return None
    steps = 0
    while hi - lo > tol and steps < most:
        steps += 1
        mid = 0.5 * (lo + hi)
        f_mid = f(mid)
        if f_mid == 0.0:
            return mid
        if f_lo * f_mid < 0:
            hi, f_hi = mid, f_mid
        else:
            lo, f_lo = mid, f_mid
    return 0.5 * (lo + hi)


@njit(debug=True)
def polish(table, *extra):
    weights = np.array([1.0, 0.5, 0.25])

    def blend(k):
        return weights[k] * table[k]

    total = 0.0
    for k in range(3):
        total += blend(k)
        weights[k] -= total
    total += len(extra) + extra[-1]
    return total, weights


@njit(debug=True)
def roots(starts):
    found = 0
    last = -1.0
    for lo, hi in starts:
        root = bisect(CUBIC, lo, hi, most=5)
        if root is None:
            continue
        found += 1
        last = root
    low, high = 1, 2.5
    if low < found <= high < 10:
        last = -last
    return found, last


CALLS = [
    lambda: roots(((0.0, 1.0), (2.0, 3.0))),
    lambda: polish(np.array([2.0, 4.0, 8.0]), 1, 2.5),
    lambda: polish(np.array([0.0, -1.0, 8.0]), 7),
]

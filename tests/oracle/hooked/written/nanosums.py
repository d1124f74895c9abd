"""Functions of NumPy, called in compiled code: cumulated, sorted, split, stacked, counted, clipped."""

import numpy as np
from numba import njit


@njit(debug=True)
def several(a):
    c = np.cumsum(a)
    d = np.diff(a)
    e = np.concatenate((a, c[:2]))
    f = np.clip(a, 1, 4)
    g = np.bincount(np.abs(d))
    h = np.repeat(a[:2], 3)
    r = np.roll(a, 2)
    w = np.nonzero(a > 2)[0]
    return c, d, e, f, g, h, r, w


@njit(debug=True)
def floats(a):
    m = np.nanmean(a)
    s = np.nansum(a)
    o = np.sort(a)
    i = np.isnan(a)
    p = np.percentile(a[~i], 40)
    x = np.interp(0.5, np.array([0.0, 1.0]), np.array([2.0, 4.0]))
    k = np.histogram(a[~i], 3)
    return m, s, o[0], i, p, x, k


@njit(debug=True)
def stacked(a, n):
    rows = a.reshape(1, -1)
    for i in range(n):
        rows = np.vstack((rows, a.reshape(1, -1) * i))
    t = np.column_stack((a, a))
    total = rows.sum(axis=0)
    return rows, t, total, np.outer(a[:2], a[:2]), np.trace(rows[:2, :2])


CALLS = [
    lambda: several(np.array([3, 0, 5, 2, 2, 7])),
    lambda: floats(np.array([1.0, np.nan, 3.0, 2.5])),
    lambda: stacked(np.arange(3.0), 3),
]

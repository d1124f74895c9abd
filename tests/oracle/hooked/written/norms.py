"""Rows made to length one: array expressions in parallel, reductions of axes, a branch on a shape."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def norms(a, kind):
    rows = a.shape[0]
    lengths = np.empty(rows)
    if kind == 2:
        squares = a * a
        for i in prange(rows):
            lengths[i] = np.sqrt(squares[i].sum())
    else:
        for i in prange(rows):
            lengths[i] = np.abs(a[i]).max()
    total = 0.0
    for i in prange(rows):
        length = lengths[i]
        if length == 0.0:
            length = 1.0
        a[i] /= length
        total += length
    mean = total / rows
    b = a - mean
    c = b * 2.0 + a
    return c.sum(), mean


CALLS = [lambda: norms(np.arange(6.0).reshape(3, 2), 2), lambda: norms(-np.eye(2), 1)]

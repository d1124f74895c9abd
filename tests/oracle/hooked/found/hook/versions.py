"""What was found wrong once: copies that SSA makes of a variable, on the line that assigned it first, behind a
comprehension in a parallel loop, or behind an array expression, stopped as that line."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def rows(n):
    out = np.zeros(n)
    for i in prange(n):
        kept = len([j for j in range(i + 2) if j != 1])
        s = 0
        for p in range(kept):
            s += p
        out[i] = s
    return out.sum()


@njit(debug=True, parallel=True)
def swapped(x, turns):
    y = x.copy()
    z = np.zeros_like(x)
    for t in range(turns):
        z[0] = y[0] + t
        y, z = z, y
        if np.abs(y - z).max() < 0.1:
            break
    return y.sum()


CALLS = [lambda: rows(3), lambda: swapped(np.array([0.0, 4.0, 8.0]), 3)]

"""Functions that Numba has begin behind their `def` line: at a docstring, or where a long signature ends."""

# ruff: noqa: F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit, prange


@njit(debug=True)
def summed(
    n,
    values,
):
    """Says.

    More."""
    total = 0.0
    for i in range(n):
        total += values[i]
        half = total * 0.5
    kept = n * 3
    return half + kept


@njit(debug=True, parallel=True)
def filled(rows, k, scale):
    """Numba tests k ahead of the loop."""
    out = np.zeros(len(rows))
    total = 0
    for i in prange(len(rows)):
        here = rows[i] * scale
        kind = i if k % 3 == 1 else -i
        out[i] = scale - here
        total += i
    return out[0] + total


CALLS = [lambda: summed(3, np.arange(4.0)), lambda: filled(np.arange(6.0), 2, 1.5)]

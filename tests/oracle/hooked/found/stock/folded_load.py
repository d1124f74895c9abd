# ruff: noqa: E731 (a fault is a call)
"""LLVM folds the load into the sum of the next line, which accesses no memory in the source."""

import numpy as np
from numba import njit


@njit(debug=True)
def poke(cells, k):
    moved = k + 5
    cell = cells[k]
    return cell + moved


@njit(debug=True)
def outer(cells, k, step):
    far = k * step + 7
    total = 0.0
    for s in range(3):
        total += poke(cells, far * (s // 2))
    return total


CALLS = [lambda: outer(np.arange(5.0), -7, 1), lambda: outer(np.arange(9.0), 1, 1)]
FAULT = lambda: outer(np.arange(5.0), 9, 1 << 30)

# ruff: noqa: F841 (what is assigned need not be read to be shown)
"""LLVM gives the jump that ends the first arm the line of the `elif`, whose test follows it."""

import numpy as np
from numba import njit


@njit(debug=True)
def deep(depth, marks, far):
    marks[0] = marks[far] + 1.0
    if depth <= 0:
        return 3
    own = depth * 3 + 1
    below = deep(depth - 1, marks, far)
    return own + below


@njit(debug=True)
def tested(count, flag, pair, text, marks, far):
    cells = np.array([q * 2 for q in range(4)])
    if count > -2:
        text = "été"
    elif flag:
        first = (count + count, 7, deep(6 % 4, marks, far))
        one = 3.0
    else:
        cells[count % len(cells)] = pair[0] % 97
    second = (deep(count % 7, marks, far), len(text), count)
    cells[0] = pair[0] % 97
    return 2 + count


CALLS = [
    lambda: tested(5, False, (-2, 1.5), "x", np.ones(3), 0),
    lambda: tested(-2, False, (-2, 1.25), "hello", np.ones(3), 0),
]
FAULT = None

# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)
"""Where the `raise` is taken, LLVM jumps into the line behind it, past what that statement does: the jump has
the statement's line and lies just ahead of it."""

import numpy as np
from numba import njit


@njit(debug=True)
def tried(limit, count, pair, marks, far):
    marks[far] = 2.0
    try:
        same = count == count
        if count > limit:
            raise ValueError("no")
        made = np.ones(5, dtype=np.int64)
    except Exception:
        size = 1.25
    return pair[0] + count


CALLS = [
    lambda: tried(2, 5, (0, 1.5), np.ones(3), 0),
    lambda: tried(3, 0, (-3, 1.0), np.ones(3), 0),
    lambda: tried(2, -2, (-3, 1.0), np.ones(3), 0),
]
FAULT = None

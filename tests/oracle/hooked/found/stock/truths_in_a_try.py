# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)
"""Between what a `try` does Numba takes each variable that the handler may read: a truth value is a byte there,
which is masked. That code has the line of the variable's next use, here of a loop's header above."""

import numpy as np
from numba import njit


@njit(debug=True)
def tried(count, level):
    both = (np.zeros(2), [1.5])
    left = level > level
    for i in range(1, 4):
        for j in range(3, 0, -1):
            level += 3.25 if left else 1.25
        try:
            pair = (i % 3, 4.0)
            if level > 4.25:
                both[0][0] += 1.0
                raise IndexError("no")
            left = not left
        except Exception:
            even = count % 2 == 0
    return level


CALLS = [lambda: tried(-2, 2.75), lambda: tried(3, -2.5)]
FAULT = None

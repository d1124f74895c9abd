# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)
"""Numba gives the array of a comprehension the line of its block, line 13: behind line 16, which it removes."""

import numpy as np
from numba import njit


@njit(debug=True)
def listed(arg, brg):
    items = [4, 7]
    seen = {5}
    seen.discard(5)
    arg = arg * arg % 97 if brg != brg else 1
    items.append(len(items))
    seen.add(len(seen) * 3)
    items[-1] = items[0] * 2
    made = np.array([q * 2 for q in range(4)])
    y = brg if brg == brg else brg
    return 1 + arg


CALLS = [lambda: listed(0, 0.75), lambda: listed(0, 0.0)]
FAULT = None

"""Found at seed 82001: LLVM takes a reference ahead of the test that its statement depends on, in a loop that it
unrolls."""

# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit


@njit(debug=True)
def shorter(arg, brg, crg):
    try:
        w = (arg + arg, -2 * arg % 97)
        if arg % 2 == 0:
            raise IndexError("no")
        arg = len(brg)
    except Exception:
        a = np.ones((3, 2))
    for i in range(3):
        try:
            crg = i % 2 == 1
            if arg % 3 == 0:
                raise IndexError("no")
            brg = brg[1:]
        except Exception:
            x = (arg % 97, -9, min(1, i))
    arg += 6
    return arg


CALLS = [
    lambda: shorter(-3, "日本語", False),
    lambda: shorter(2, "x", False),
    lambda: shorter(-3, "né", False),
]

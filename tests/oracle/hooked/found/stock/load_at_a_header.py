# ruff: noqa: B007, F841 (as generated programs are)
"""A load that LLVM has moved to where the line of its loop begins: at one address, two lines."""

import numpy as np
from numba import njit


@njit(debug=True)
def small1(n0):
    v = min(1 + -9, -2 * -2 % 97)
    return v


@njit(debug=True)
def scaled(arg, brg, crg, drg, brink, far):
    for j in range(1, 0, -1):
        arg -= j
        for i1 in range(4):
            brink[0] = brink[far] + 1.0
            arg += i1
    if arg == brg or brg < arg:
        out2 = np.zeros(len(crg))
        for i3 in range(len(crg)):
            e4 = crg[i3] * 0.5
            out2[i3] = e4 - 0.25
    elif arg == -5 and arg <= arg:
        if brg % 3 == 1:
            raise ValueError("no")
    else:
        view5 = drg[1:]
    for i7 in range(4):
        first6 = i7 * 3 + 1
        brg += first6
    if brg == brg and arg % 2 == 0:
        if brg % 3 == 1:
            raise ValueError("no")
    try:
        a8 = drg.copy()
        if brg % 2 == 1:
            raise ValueError("no")
        one = (arg, small1(1.0), brg * arg % 97)
    except Exception:
        size = (arg, 4.5)
    zero = small1(0.25) // 2
    return 4.0


CALLS = [
    lambda: scaled(-3, 2, np.arange(5) * 0.75, np.arange(4) - 2, np.ones(3), 0),
    lambda: scaled(2, 5, np.array([1.5, -2.0, 0.25]), np.arange(4) - 2, np.ones(3), 0),
]
FAULT = lambda: scaled(-3, 2, np.arange(5) * 0.75, np.arange(4) - 2, np.ones(3), 1 << 40)  # noqa: E731

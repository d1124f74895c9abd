# ruff: noqa: B007, F841 (as generated programs are)
"""An argument that nothing reads any more: LLVM says that it is in a register to which it has copied another one."""

import numpy as np
from numba import njit


@njit(debug=True)
def swapped(arg, brg, crg, drg, brink, far):
    items = [4, 7]
    both = (np.zeros(2), [1.5])
    items[-1] = items[0] * 2
    s1 = 0
    for i2 in range(arg % 2):
        s1 += 3
    for k in range(drg % 4):
        turn3 = 0
        while turn3 < drg % 3:
            turn3 += 1
            s1 += 1
    items[0] += 3
    s4 = 0
    for i5 in range(drg):
        s4 += i5
    both[1][0] = 2.5
    left = s4 * 0.5
    both[1][0] = 2.5
    if arg == -5:
        if len(crg) > 3:
            s1, s4 = (s4, s1)
        else:
            for k in range(arg % 3):
                a6 = np.ones((2, 2))
        f7 = 2
        for i8 in range(arg):
            f7 = f7 * 0.5 + i8
    else:
        brink[far] = 2.0
        try:
            a9 = np.zeros(4, dtype=np.float64)
            if brg > brg:
                items[-1] = items[0] * 2
                both[1][0] = 2.5
                raise ValueError("no")
            z = (arg, left)
        except Exception:
            left = brg
    return drg - s4 + s1


CALLS = [lambda: swapped(-1, -0.25, "né", -2, np.ones(3), 0), lambda: swapped(2, 0.75, "hello", -1, np.ones(3), 0)]
FAULT = lambda: swapped(-1, -0.25, "né", -2, np.ones(3), 1 << 40)  # noqa: E731

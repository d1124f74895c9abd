"""What generated programs found wrong once: a value that the compiler makes of an argument, shown where the program may
not have assigned it yet; and a range's next number, behind code that joins versions."""

# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit


@njit(debug=True)
def small(n, m):
    v = n != -3 and m != -2.5
    return 0 // 3 + n


@njit(debug=True)
def compared(arg, brg, crg):
    if arg % 3 == 1:
        for j in range(2):
            p = small(arg % 4, brg) % 97
        s = 0
        for i in range(arg % 2):
            s += 2 * i + 1
    else:
        a = np.ones(6, dtype=np.float64)
    b = np.ones((2, 2))
    z = arg <= arg
    b[0, 1] = -0.75
    return small(arg % 4, brg)


@njit(debug=True)
def joined(arg, crg):
    y = 3.0 + 1.75
    for i in range(1, 3):
        if y < y:
            continue
        for j in range(2):
            for k in range(1, 0):
                y += -3.75
                arg, crg = crg, arg
        try:
            a = np.ones((2, 2))
            if y == y:
                raise IndexError("no")
        except Exception:
            u = (small(crg % 7, 1.0) + i) % 97
    return 4.75 - y


CALLS = [
    lambda: compared(-2, -2.0, np.arange(4) - 2),
    lambda: compared(5, -2.5, np.arange(4) - 2),
    lambda: joined(5, 4),
    lambda: joined(1, 0),
]

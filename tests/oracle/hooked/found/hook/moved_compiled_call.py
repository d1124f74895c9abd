"""Found at seed 82001: LLVM calls a compiled function ahead of the loop that calls it; the caller's line is that of the
call."""

import numpy as np
from numba import njit


@njit(debug=True)
def deep(depth):
    if depth <= 0:
        return -2
    own = depth + 1
    below = deep(depth - 1)
    return own + below


@njit(debug=True)
def work(arg, brg, crg, drg):
    turn1 = 0
    while turn1 < 3:
        turn1 += 1
        drg[0] = crg[1]
        for _ in range(arg % 3, 0, -1):
            if arg == turn1:
                raise ValueError("no")
            unused2 = 4.25  # noqa: F841
            drg[brg % len(drg)] += drg[arg % len(drg)]
    drg[-1] = 0.0
    for _ in range(arg % 3):
        left = ((deep((brg) % 7)) % 97, -4.25)
        left = crg[1]  # noqa: F841
    turn1 = "日本"
    u = (crg[1]) + (drg[0])  # noqa: F841
    if len(turn1) > 2:
        for _ in range(arg):
            a3 = np.array([q * 0.5 for q in range(3)])  # noqa: F841
    return 4 + arg


CALLS = [
    lambda: work(-1, 5, (2, 1.0), np.arange(5) * 0.75),
    lambda: work(-2, 3, (2, -0.75), np.linspace(0.0, 4.0, 9)),
]

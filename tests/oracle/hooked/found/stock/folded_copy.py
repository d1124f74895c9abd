"""Found at seed 71001: a variable that is assigned to itself, of one of several constants. LLVM can decide the tests
that read it, so that one statement is left that does, and calls its result the variable."""

import numpy as np
from numba import njit


@njit(debug=True)
def work(arg, brg, brink, far):
    acc = arg % 3 == 1
    if not acc:
        brink[far] = 2.0
    else:
        brg[arg % len(brg)] = arg % 97
    p6, q7 = (arg, -0.75 if acc else -3.75)
    q7 = q7
    if p6 == arg or q7 == 1.5:
        left = (arg, q7 if acc else -3.0)  # noqa: F841
    elif q7 <= 1.0:
        left = (p6, len(brg) * 1.0)  # noqa: F841
    else:
        s9 = 0
        for _ in range(arg):
            s9 += 3
    return q7 * q7


CALLS = [
    lambda: work(-3, np.arange(4) - 2, np.ones(3), 0),
    lambda: work(5, np.arange(4) - 2, np.ones(3), 0),
    lambda: work(4, np.array([5, -7, 9, 2, 4]), np.ones(3), 0),
]

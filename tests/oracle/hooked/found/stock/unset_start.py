"""Found at seed 71001, at NUMBA_OPT=0: the word that keeps the first number of a range that is an argument holds
anything before the loop begins."""

import numpy as np
from numba import njit


@njit(debug=True)
def work0(arg, brg):
    x = arg
    for i in range(arg, 0, -1):  # noqa: B007
        w = ((arg) // 2, -1.75)  # noqa: F841
        for i2 in range(arg % 3):
            first1 = i2 * 4 + 1
            x += first1
        best = 0.75  # noqa: F841
    x -= arg
    for i3 in range(3):  # noqa: B007
        a4 = np.array([q * 0.5 for q in range(5)])  # noqa: F841
        for j in range(arg % 1):
            s5 = 0
            for i6 in range(1):  # noqa: B007
                s5 += arg
            size = j  # noqa: F841
    v = 1  # noqa: F841
    x = brg[0]
    return (3) * 0.5


CALLS = [
    lambda: work0(-1, (0, 2.0)),
    lambda: work0(-2, (-2, -0.25)),
    lambda: work0(2, (-2, -2.0)),
]

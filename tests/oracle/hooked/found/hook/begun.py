"""What generated programs found wrong once: arguments of which another version begins at the entry."""

import numpy as np
from numba import njit


@njit(debug=True)
def work0(arg, brg, crg, drg):
    a1 = np.zeros(4, dtype=np.int64)  # noqa: F841
    for i2 in range(2):
        if i2 % 3 == 0:
            for i4 in range(0):
                first3 = i4 * 3 + 1
                brg += first3
            if arg % 2 == 0:
                arg += i2
                if i2 <= brg:
                    break
            elif i2 <= brg:
                brg += i2
                best = (drg[1, 1]) / 4.0  # noqa: F841
            else:
                brg += i2
    sum7 = 0.0
    for r5 in range(drg.shape[0]):
        for c6 in range(2):
            sum7 += drg[r5, c6]
    y = -1.75  # noqa: F841
    brg += 9
    return (-7) % 2 + arg


CALLS = [
    lambda: work0(-2, 0, "x", np.arange(6.0).reshape(3, 2)),
    lambda: work0(3, 5, "hello", np.arange(6.0).reshape(3, 2)),
    lambda: work0(5, 1, "x", np.ones((2, 3))),
]

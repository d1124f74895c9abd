"""What generated programs found wrong once: variables that nothing reads, in functions with parallel loops."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def spread(rows, k, scale):
    out = np.zeros(len(rows))
    total = 0
    idle = np.ones(4)
    idle[1] = 7
    for i in prange(len(rows)):
        here = rows[i] * scale
        mine = np.zeros(3)
        mine[1] = here
        flag = here <= scale  # noqa: F841
        sum3 = 0
        for _ in range(k % 4):
            sum3 += 3
        out[i] = abs(here)
        total += 1
    top = out[0] + total
    idle[0] = 5
    more = top > 2
    more = not more
    return top


CALLS = [lambda: spread(np.arange(8) * 0.5, 3, 1.5), lambda: spread(np.arange(3) * 0.5, 4, -1.5)]

"""Found at seed 71001: a load that LLVM makes ahead of the loop over another argument's elements."""

import numpy as np
from numba import njit


@njit(debug=True)
def work(arg, brg, brink, far):
    p1, q2 = (arg, 4.75)
    view3 = brg[:2]
    for _, _item in enumerate(brg):
        brink[far] += 1.0
        arg, p1 = (p1, arg)
    q2 -= view3[1]
    arg, p1 = (p1, arg)
    return view3[1] + q2


CALLS = [
    lambda: work(0, np.array([1.5, -2.0, 0.25]), np.ones(3), 0),
    lambda: work(1, np.array([1.5, -2.0, 0.25]), np.ones(3), 0),
]
FAULT = lambda: work(0, np.array([1.5, -2.0, 0.25]), np.ones(3), 1 << 40)  # noqa: E731

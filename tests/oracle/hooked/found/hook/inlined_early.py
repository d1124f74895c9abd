"""Found at seed 71001: in a function that LLVM has inlined into a loop, what leads to the store of a line above has the
line of an allocation below."""

import numpy as np
from numba import njit


@njit(debug=True)
def small(n0, n1, brink, far):
    brink[0] = brink[far] + 1.0
    unused = (-2 // 2, n1 if n0 != n1 else -4, min(-2, n0))  # noqa: F841
    a2 = np.zeros((2, 4))  # noqa: F841
    return 4.25 * -3.25


@njit(debug=True)
def work(arg, brg, brink, far):
    for i1 in range(4):
        if i1 % 2 == 0:
            _p2, q3 = (arg, small(-9 % 7, -7 % 4, brink, far))
            if q3 < q3:
                brg = not brg
            elif arg % 2 == 0:
                v = small(-1 % 4, i1 % 7, brink, far)  # noqa: F841
        elif arg % 2 == 1:
            unused = -0.75 if i1 % 3 == 1 else -0.75  # noqa: F841
    return arg


CALLS = [lambda: work(2, True, np.ones(3), 0), lambda: work(1, True, np.ones(3), 0)]
FAULT = lambda: work(2, True, np.ones(3), 1 << 40)  # noqa: E731

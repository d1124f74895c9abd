"""In the body of a function that LLVM inlines, the test's code comes ahead of the store above it."""

import numpy as np
from numba import njit


@njit(debug=True)
def stored(n, out, far):
    for k in range(1):
        out[k] = out[far] + 1.0
        if n % 3 == 0:
            continue
        n += 1
    return 3.75 if n % 2 == 0 else 2.5


@njit(debug=True)
def called(n, out, far):
    value = -4.0 - stored(n % 4, out, far)
    return value * n


CALLS = [lambda: called(-3, np.ones(3), 0), lambda: called(-1, np.ones(3), 0)]
FAULT = lambda: called(-3, np.ones(3), 1 << 40)  # noqa: E731

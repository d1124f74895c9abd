"""Found with programs written by hand: lines that call a lambda of another line, and a list that nothing reads."""

import numpy as np
from numba import njit


@njit(debug=True)
def picks(n, v):
    pick = lambda t: t if t > 2 else -t  # noqa: E731
    kept = [n, n + 1]  # noqa: F841
    a = pick(n) + pick(1)
    b = pick(a) * 2
    for x in v:
        b += pick(x)
        if pick(x) > 0:
            b += 1
    return a + b


CALLS = [lambda: picks(3, np.array([1, 5]))]

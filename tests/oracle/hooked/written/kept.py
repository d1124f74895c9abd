"""cache=True: what another process loads is the same."""

import numpy as np
from numba import njit


@njit(debug=True, cache=True)
def inner(x):
    if x < 0:
        raise ValueError("negative", x)
    return x**0.5


@njit(debug=True, cache=True)
def outer(a):
    total = 0.0
    for x in a:
        total += inner(x)
    names = [str(int(x)) for x in a]
    return total, "".join(names)


CALLS = [lambda: outer(np.arange(9.0)), lambda: outer(np.arange(-1.0, 3.0))]

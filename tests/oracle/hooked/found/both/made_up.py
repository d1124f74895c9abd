"""What a program outside this project found wrong: variables of the names that Numba gives to its own, where it makes
an array of a list."""

import numpy as np
from numba import njit


@njit(debug=True)
def listed(n, x):
    size = n * 10
    index = n + 5
    array = n - 1
    one = n * 3
    v = np.array([n, n + 1, n + 2])
    zero = v[0] - n
    u = np.array([float(q) for q in range(2, n)])
    new_var = 7 * n
    for index in range(3):
        size += index
    t = np.array([q * x for q in (3, 4, 5)])
    ret = v.sum() + size + index + array + one + new_var + zero
    size = u.size + t.size
    return ret + size


@njit(debug=True, parallel=True)
def compared(a, b):
    ret = len(a) + 1
    zero = 3.5
    wrap = ret * 2
    var = a[1:3] + b[: a.size - 2]
    msg = var.sum() + zero
    num_threads = 5
    c = a + b
    return c.sum() + msg + wrap + num_threads


CALLS = [lambda: listed(6, 2.5), lambda: listed(2, 1.0), lambda: compared(np.arange(4.0), np.ones(4))]

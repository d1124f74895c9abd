"""Overflow of each width wraps as the machine does."""

import numpy as np
from numba import njit


@njit(debug=True)
def wrap(a, by):
    total = a[0]
    for i in range(a.size):
        a[i] += by
        total += a[i] * a[i]
    return total, a


@njit(debug=True)
def big(x):
    y = x
    for i in range(70):
        y = y * 3 + 1
    z = -y
    return y, z, abs(z), y ^ z, ~y


KINDS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
CALLS = [
    *[lambda kind=kind: wrap(np.arange(100, 140).astype(kind), kind(100)) for kind in KINDS],
    lambda: big(2**61),
    lambda: big(-(2**63)),
]

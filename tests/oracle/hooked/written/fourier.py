"""A transform by halves, and its inverse."""

import math

import numpy as np
from numba import njit


@njit(debug=True)
def transform(x, inverse):
    n = len(x)
    out = x.astype(np.complex128)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            out[i], out[j] = out[j], out[i]
    length = 2
    while length <= n:
        angle = 2 * math.pi / length * (-1 if inverse else 1)
        root = complex(math.cos(angle), math.sin(angle))
        for start in range(0, n, length):
            w = 1 + 0j
            for k in range(length // 2):
                u = out[start + k]
                v = out[start + k + length // 2] * w
                out[start + k] = u + v
                out[start + k + length // 2] = u - v
                w *= root
        length <<= 1
    if inverse:
        out /= n
    return out


CALLS = [
    lambda: complex(transform(np.array([1.0, 2.0, 3.0, 4.0]), False)[1]),
    lambda: complex(transform(np.array([1.0, 2.0]), True)[0]),
]

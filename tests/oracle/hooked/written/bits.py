"""Small whole numbers: counts of bits, a hash, a checksum that wraps."""

import numpy as np
from numba import njit, uint8, uint32


@njit(debug=True)
def ones(x):
    n = 0
    while x:
        x &= x - 1
        n += 1
    return n


@njit(debug=True)
def fletcher(data):
    a = uint8(0)
    b = 0
    for byte in data:
        a = uint8(a + byte)
        b = (b + a) % 255
    return (b << 8) | a


@njit(debug=True)
def fnv(data):
    h = uint32(2166136261)
    for byte in data:
        h = uint32(h ^ byte)
        h = uint32(h * uint32(16777619))
    return h


@njit(debug=True)
def digest(data):
    low = fnv(data)
    n = ones(int(low) & 0xFF)
    return fletcher(data) * 100 + n


CALLS = [lambda: digest(np.array([200, 100, 7], dtype=np.uint8))]

"""Unsigned and signed numbers together: counters, comparisons, subtraction below zero, ranges of each kind."""

import numpy as np
from numba import njit, uint8, uint32, uint64


@njit(debug=True)
def hash64(data):
    h = uint64(14695981039346656037)
    for b in data:
        h = uint64((h ^ b) * uint64(1099511628211))
    return h


@njit(debug=True)
def crc(data):
    c = uint32(0xFFFFFFFF)
    for b in data:
        c = uint32(c ^ b)
        for k in range(8):
            if c & uint32(1):
                c = uint32((c >> uint32(1)) ^ uint32(0xEDB88320))
            else:
                c = uint32(c >> uint32(1))
    return c ^ uint32(0xFFFFFFFF)


@njit(debug=True)
def mixed(n, a):
    total = n
    for i in range(n):
        total = total - a[i % uint64(a.size)]
        less = total < a[0]
        if less:
            total += n
    return total


@njit(debug=True)
def bytes_of(x):
    out = np.empty(8, np.uint8)
    for i in range(8):
        out[i] = uint8((x >> (8 * i)) & 255)
    back = uint64(0)
    for i in range(7, -1, -1):
        back = (back << uint64(8)) | uint64(out[i])
    return out, back


CALLS = [
    lambda: hash64(np.arange(50, dtype=np.uint8)),
    lambda: crc(np.frombuffer(b"123456789", np.uint8)),
    lambda: mixed(np.uint64(20), np.arange(5)),
    lambda: mixed(np.uint64(20), np.arange(5, dtype=np.uint8)),
    lambda: bytes_of(0x0123456789ABCDEF),
    lambda: bytes_of(-2),
]

"""bytes, bytearrays and buffers: read element by element, searched, summed."""

import array

import numpy as np
from numba import njit


@njit(debug=True)
def checksum(data):
    s = 0
    for b in data:
        s = (s * 31 + b) & 0xFFFF
    return s, len(data), data[0]


@njit(debug=True)
def lines(data):
    n = 0
    longest = 0
    begin = 0
    for i in range(len(data)):
        if data[i] == 10:
            n += 1
            if i - begin > longest:
                longest = i - begin
            begin = i + 1
    return n, longest, begin


CALLS = [
    lambda: checksum(b"hello world"),
    lambda: checksum(bytearray(b"hello")),
    lambda: checksum(array.array("i", [1, -2, 3])),
    lambda: checksum(memoryview(b"abc")),
    lambda: lines(b"a\nbcd\n\nefgh"),
    lambda: lines(np.frombuffer(b"x\nyy\n", np.uint8)),
]

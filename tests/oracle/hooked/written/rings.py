"""Sums that wrap around in narrow numbers, a checksum, a hash of bytes, shifts, negative remainders."""

import numpy as np
from numba import njit


@njit(debug=True)
def adler(data):
    a, b = 1, 0
    for byte in data:
        a = (a + byte) % 65521
        b = (b + a) % 65521
    return (b << 16) | a


@njit(debug=True)
def fnv(data):
    h = np.uint64(14695981039346656037 & 0x3FFFFFFFFFFFFFFF)
    prime = np.uint64(1099511628211)
    for byte in data:
        h = (h ^ np.uint64(byte)) & np.uint64(0xFFFFFFFF)
        h = (h * prime) & np.uint64(0xFFFFFFFFFF)
    return h


@njit(debug=True)
def narrow(values, small):
    worst = np.float32(0.0)
    acc = np.zeros(3, np.int8)
    for i in range(values.shape[0]):
        x = values[i]
        acc[i % 3] += x
        small[i] = small[i] * np.uint8(7) + np.uint8(3)
        ratio = np.float32(x) / np.float32(3)
        if ratio > worst:
            worst = ratio
    rest = -7 % 3
    quot = -7 // 2
    return acc, worst, rest, quot, small


@njit(debug=True)
def bits_of(n):
    count = 0
    while n:
        n &= n - 1
        count += 1
    else:
        count = -count
    return count


CALLS = [
    lambda: adler(b"wikipedia"),
    lambda: fnv(np.frombuffer(b"a\xffb", np.uint8)),
    lambda: narrow(np.array([100, 27, -128, 100, 101], np.int8), np.arange(5, dtype=np.uint8) * np.uint8(50)),
    lambda: bits_of(0b101101),
]

"""Sums that LLVM computes at once: of degree 2 to 5, with conditions, two in one loop, of small types, with steps."""

import numpy as np
from numba import int16, int32, njit, uint8, uint16, uint64


@njit(debug=True)
def degree2(n, a, b):
    s = 0
    t = 1
    for i in range(n):
        s += a * i + b
        t += s
    return s, t


@njit(debug=True)
def degree4(n):
    s = t = u = v = 0
    for i in range(n):
        s += i
        t += s
        u += t
        v += u
    return s, t, u, v


@njit(debug=True)
def shorts(n):
    s = int16(0)
    u = uint8(0)
    w = uint16(1)
    x = int32(0)
    for i in range(n):
        s = int16(s + i * i)
        u = uint8(u + i)
        w = uint16(w * 3 + i)
        x = int32(x + s)
    return s, u, w, x


@njit(debug=True)
def unsigned(n, step):
    s = uint64(0)
    for i in range(uint64(1), n, step):
        s += i * i - i
    return s


@njit(debug=True)
def factors(n):
    p = 1
    q = 1.0
    for i in range(1, n):
        p *= i
        q *= i
    return p, q


@njit(debug=True)
def shifted(n, k):
    s = 0
    for i in range(n):
        s += (i << k) - (i >> 1)
        s -= i // 3
    d = n
    while d > k:
        d -= k
    return s, d


CALLS = [
    lambda: [degree2(n, 3, -2) for n in (-1, 0, 1, 2, 1000, 10**7)],
    lambda: [degree4(n) for n in (0, 1, 5, 3000)],
    lambda: [shorts(n) for n in (0, 300, 70000)],
    lambda: unsigned(np.uint64(10**6), np.uint64(3)),
    lambda: [factors(n) for n in (1, 22, 80)],
    lambda: (shifted(100, 3), shifted(10**6, 7)),
]

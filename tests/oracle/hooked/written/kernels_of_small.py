"""Parallel loops over arrays of small elements, with unsigned indices, with negative steps of ranges around them."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def histogram(a):
    counts = np.zeros(16, np.int64)
    for b in prange(16):
        n = 0
        for i in range(a.size):
            if a[i] >> 4 == b:
                n += 1
        counts[b] = n
    return counts


@njit(debug=True, parallel=True)
def blur(image):
    h, w = image.shape
    out = np.zeros((h, w), np.uint8)
    for y in prange(1, h - 1):
        for x in range(1, w - 1):
            s = 0
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    s += image[y + dy, x + dx]
            out[y, x] = s // 9
    return out


@njit(debug=True, parallel=True)
def halves(a):
    n = a.size
    while n > 1:
        half = n // 2
        for i in prange(half):
            a[i] = a[i] + a[n - 1 - i]
        n = n - half
    return a[0]


@njit(debug=True, parallel=True)
def sines(n, k):
    total = 0.0
    for i in prange(n):
        x = i / n
        if i % k == 0:
            y = np.sin(x)
        else:
            y = x
        total += int(y * 1000)
    return total


CALLS = [
    lambda: histogram((np.arange(3000) * 7 % 256).astype(np.uint8)),
    lambda: blur((np.arange(400) * 31 % 256).astype(np.uint8).reshape(20, 20)),
    lambda: halves(np.arange(33)),
    lambda: sines(200, 3),
]

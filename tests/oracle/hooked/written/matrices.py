"""Loops of three depths: a product, a decomposition, a transitive closure, a convolution."""

import numpy as np
from numba import njit


@njit(debug=True)
def product(a, b):
    n, m = a.shape
    p = b.shape[1]
    c = np.zeros((n, p), a.dtype)
    for i in range(n):
        for j in range(p):
            s = a.dtype.type(0)
            for k in range(m):
                s += a[i, k] * b[k, j]
            c[i, j] = s
    return c, s


@njit(debug=True)
def cholesky(a):
    n = a.shape[0]
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= low[i, k] * low[j, k]
            if i == j:
                if s <= 0:
                    raise ValueError("not positive", i)
                low[i, j] = s**0.5
            else:
                low[i, j] = s / low[j, j]
    return low


@njit(debug=True)
def floyd(d):
    n = len(d)
    changed = 0
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = d[i, k] + d[k, j]
                if through < d[i, j]:
                    d[i, j] = through
                    changed += 1
    return d, changed


@njit(debug=True)
def convolved(a, kernel):
    h, w = a.shape
    r = kernel.shape[0] // 2
    out = np.zeros_like(a)
    for y in range(r, h - r):
        for x in range(r, w - r):
            acc = 0.0
            for dy in range(-r, r + 1):
                for dx in range(-r, r + 1):
                    acc += a[y + dy, x + dx] * kernel[r + dy, r + dx]
            out[y, x] = acc
    return out, acc


I = np.arange(64).reshape(8, 8)
CALLS = [
    lambda: product(I.astype(float), I.T.astype(float)),
    lambda: product(I.astype(np.int8), I.astype(np.int8)),
    lambda: cholesky(np.eye(5) * 3 + 1),
    lambda: cholesky(-np.eye(3)),
    lambda: floyd((I * 7) % 13 + 1),
    lambda: convolved(I.astype(float), np.ones((3, 3)) / 9),
]

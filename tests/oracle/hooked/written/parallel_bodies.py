"""Bodies of parallel loops: with lists, texts, calls, while, break of an inner loop, arrays of their own, tuples."""

import numpy as np
from numba import njit, prange


@njit(debug=True)
def steps(n):
    k = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        k += 1
    return k


@njit(debug=True, parallel=True)
def each(n):
    out = np.zeros(n, np.int64)
    most = 0
    for i in prange(1, n):
        k = steps(i)
        items = [k, i]
        items.append(k * i)
        part = np.zeros(3)
        for j in range(10):
            if j == i % 7:
                break
            part[j % 3] += j
        out[i] = items[-1] + int(part.sum())
        most = max(most, k)
    return out, most


@njit(debug=True, parallel=True)
def pairs(a, t):
    x, y = t
    n = a.shape[0]
    out = np.empty((n, 2))
    for i in prange(n):
        row = a[i]
        p = (row[0] * x, row[1] * y)
        for v in row:
            if v < 0:
                p = (v, p[0])
        out[i, 0], out[i, 1] = p
    return out


@njit(debug=True, parallel=True)
def several(n, rounds):
    a = np.zeros(n)
    for r in range(rounds):
        for i in prange(n):
            a[i] += r * i
        b = a * 2
        for i in prange(n):
            a[i] = b[n - 1 - i]
    c = np.array([x * x for x in a])
    return a, b, c.sum()


@njit(debug=True, parallel=True)
def texts(n):
    out = np.zeros(n, np.int64)
    for i in prange(n):
        s = str(i) + "x"
        out[i] = len(s) * 10 + (s[0] == "1")
    return out


CALLS = [
    lambda: each(40),
    lambda: each(1),
    lambda: pairs(np.arange(-6.0, 6.0).reshape(6, 2), (2.0, 0.5)),
    lambda: several(9, 3),
    lambda: texts(15),
]

"""Tables that are filled: distances of texts, subsequences, coins, partitions, with small element types."""

import numpy as np
from numba import njit


@njit(debug=True)
def lcs(a, b):
    t = np.zeros((len(a) + 1, len(b) + 1), np.int16)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                t[i, j] = t[i - 1, j - 1] + 1
            else:
                t[i, j] = max(t[i - 1, j], t[i, j - 1])
    out = ""
    i, j = len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]:
            out = a[i - 1] + out
            i -= 1
            j -= 1
        elif t[i - 1, j] >= t[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return out, t[-1, -1]


@njit(debug=True)
def coins(values, total):
    ways = np.zeros(total + 1, np.int64)
    ways[0] = 1
    for v in values:
        for t in range(v, total + 1):
            ways[t] += ways[t - v]
    return ways[total]


@njit(debug=True)
def rising(a):
    best = np.ones(a.size, np.uint8)
    top = 0
    for i in range(a.size):
        for j in range(i):
            if a[j] < a[i] and best[j] + 1 > best[i]:
                best[i] = best[j] + 1
        if best[i] > top:
            top = best[i]
    return top, best


@njit(debug=True)
def pascal(n):
    row = np.zeros(n + 1, np.uint32)
    row[0] = 1
    for i in range(n):
        for j in range(n, 0, -1):
            row[j] += row[j - 1]
    return row


CALLS = [
    lambda: lcs("nematode knowledge", "empty bottle"),
    lambda: coins((1, 5, 10, 25), 5000),
    lambda: rising((np.arange(300) * 97) % 251),
    lambda: pascal(40),
]

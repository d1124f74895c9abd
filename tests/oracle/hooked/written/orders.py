"""Comparisons and sorting of tuples, of texts, of floats with NaN; min and max with more than two."""

import numpy as np
from numba import njit


@njit(debug=True)
def tuples(n):
    items = [(i * 7 % 5, -i, 0.5 * i) for i in range(n)]
    best = items[0]
    for t in items:
        if t > best:
            best = t
    items.sort()
    return best, items[0], min(3, n, 2), max(1.5, n, 2)


@njit(debug=True)
def texts(words):
    first = words[0]
    for w in words:
        if w < first:
            first = w
    lengths = sorted([len(w) for w in words])
    return first, lengths, "b" > "a", first == words[0]


@njit(debug=True)
def nans(a):
    low = np.inf
    n = 0
    for x in a:
        if x < low:
            low = x
        if x != x:
            n += 1
        elif not x > 0:
            n += 10
    return low, n, np.sort(a), np.argmin(a)


CALLS = [
    lambda: tuples(9),
    lambda: texts(("pear", "fig", "apple")),
    lambda: nans(np.array([1.0, np.nan, -0.0, 3.0])),
]

"""sort, argsort, sorted with a key, bisection, unique, in and out of place."""

import numpy as np
from numba import njit


@njit(debug=True)
def key(x):
    return -x % 5


@njit(debug=True)
def several(a):
    b = np.sort(a)
    at = np.argsort(a)
    c = a.copy()
    c.sort()
    u = np.unique(a)
    w = np.searchsorted(b, a[0])
    items = list(a)
    items.sort(reverse=True)
    keyed = sorted(items, key=key)
    return b, at[0], c[-1], u, w, items[0], keyed[:3]


@njit(debug=True)
def insertion(a):
    moves = 0
    for i in range(1, a.size):
        x = a[i]
        j = i - 1
        while j >= 0 and a[j] > x:
            a[j + 1] = a[j]
            j -= 1
            moves += 1
        a[j + 1] = x
    return a, moves


@njit(debug=True)
def heap(a):
    n = a.size
    for end in range(n, 1, -1):
        for start in range(end // 2, -1, -1):
            root = start
            while 2 * root + 1 < end:
                child = 2 * root + 1
                if child + 1 < end and a[child] < a[child + 1]:
                    child += 1
                if a[root] >= a[child]:
                    break
                a[root], a[child] = a[child], a[root]
                root = child
        a[0], a[end - 1] = a[end - 1], a[0]
    return a


A = (np.arange(60) * 37) % 61
CALLS = [
    lambda: several(A),
    lambda: several(A.astype(np.float32) - 30),
    lambda: insertion(A.copy()),
    lambda: heap(A.copy()),
    lambda: heap(A.astype(np.uint8)),
]

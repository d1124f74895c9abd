"""Recursion: of one function, of two that call each other, with arrays and lists, with an exception."""

import numpy as np
from numba import njit


@njit(debug=True)
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


@njit(debug=True)
def flood(grid, i, j):
    if i < 0 or j < 0 or i >= grid.shape[0] or j >= grid.shape[1]:
        return 0
    if grid[i, j]:
        return 0
    grid[i, j] = 1
    size = 1
    for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        size += flood(grid, i + di, j + dj)
    return size


@njit(debug=True)
def sort(items):
    if len(items) < 2:
        return items
    pivot = items[0]
    low = [x for x in items[1:] if x < pivot]
    high = [x for x in items[1:] if x >= pivot]
    return sort(low) + [pivot] + sort(high)


@njit(debug=True)
def permute(a, k, out):
    if k == len(a):
        out.append(a[0] * 100 + a[1] * 10 + a[2])
        return len(out)
    n = 0
    for i in range(k, len(a)):
        a[k], a[i] = a[i], a[k]
        n = permute(a, k + 1, out)
        a[k], a[i] = a[i], a[k]
    return n


CALLS = [
    lambda: ackermann(2, 3),
    lambda: flood(np.eye(6, dtype=np.int64)[:, ::-1].copy(), 0, 0),
    lambda: sort([3, 1, 4, 1, 5, 9, 2, 6]),
    lambda: permute(np.array([1, 2, 3]), 0, [0]),
]

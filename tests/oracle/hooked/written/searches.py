"""Backtracking, breadth first, binary search, two pointers: loops that are left by return."""

import numpy as np
from numba import njit


@njit(debug=True)
def queens(n):
    at = np.full(n, -1)
    row = 0
    count = 0
    while row >= 0:
        at[row] += 1
        while at[row] < n:
            ok = True
            for r in range(row):
                if at[r] == at[row] or abs(at[r] - at[row]) == row - r:
                    ok = False
                    break
            if ok:
                break
            at[row] += 1
        if at[row] == n:
            at[row] = -1
            row -= 1
        elif row == n - 1:
            count += 1
        else:
            row += 1
    return count


@njit(debug=True)
def maze(grid):
    h, w = grid.shape
    far = np.full((h, w), -1)
    far[0, 0] = 0
    todo = [(0, 0)]
    while len(todo):
        y, x = todo.pop(0)
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            ny, nx = y + dy, x + dx
            if 0 <= ny < h and 0 <= nx < w and grid[ny, nx] == 0 and far[ny, nx] < 0:
                far[ny, nx] = far[y, x] + 1
                if ny == h - 1 and nx == w - 1:
                    return far[ny, nx]
                todo.append((ny, nx))
    return -1


@njit(debug=True)
def bisect(a, x):
    lo, hi = 0, a.size
    while lo < hi:
        mid = (lo + hi) >> 1
        if a[mid] < x:
            lo = mid + 1
        else:
            hi = mid
    return lo


@njit(debug=True)
def pair(a, target):
    i = 0
    j = a.size - 1
    while i < j:
        s = a[i] + a[j]
        if s == target:
            return i, j
        if s < target:
            i += 1
        else:
            j -= 1
    raise LookupError("none", target)


G = np.zeros((6, 6), np.int64)
G[1, :5] = 1
G[3, 1:] = 1
CALLS = [
    lambda: queens(6),
    lambda: maze(G),
    lambda: maze(np.ones((3, 3), np.int64)),
    lambda: [bisect(np.arange(0, 1000, 7), x) for x in (-1, 0, 500, 9999)],
    lambda: pair(np.arange(0, 99, 3), 60),
    lambda: pair(np.arange(0, 99, 3), 61),
]

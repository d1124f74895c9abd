"""Views of a grid with negative strides, operations in place on slices, a flood fill with a stack."""

import numpy as np
from numba import njit


@njit(debug=True)
def flood(grid, i0, j0, paint):
    old = grid[i0, j0]
    if old == paint:
        return 0
    stack = [(i0, j0)]
    filled = 0
    while stack:
        i, j = stack.pop()
        if not (0 <= i < grid.shape[0] and 0 <= j < grid.shape[1]):
            continue
        if grid[i, j] != old:
            continue
        grid[i, j] = paint
        filled += 1
        for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            stack.append((i + di, j + dj))
    return filled


@njit(debug=True)
def mirror(grid):
    flipped = grid[::-1, ::2]
    flipped[0] += 10
    edge = grid[:, -1]
    edge = edge * 2
    grid[1:, 1] -= grid[:-1, 1].copy()
    middle = flipped.T
    middle[0, 0] = -1
    for row in grid:
        row[0] = row.sum()
    return flipped, edge.sum(), middle


@njit(debug=True)
def first_pair(grid, wanted):
    at = (-1, -1)
    for i in range(grid.shape[0]):
        for j in range(i, grid.shape[1]):
            if grid[i, j] < 0:
                break
            if (i + j) % 2:
                continue
            s = grid[i, j] + grid[j % grid.shape[0], i]
            if s == wanted:
                at = (i, j)
                return at, s
        else:
            wanted += 1
    return at, wanted


CALLS = [
    lambda: flood(np.array([[0, 0, 1], [1, 0, 1], [0, 1, 0]]), 0, 0, 7),
    lambda: mirror(np.arange(12).reshape(3, 4)),
    lambda: first_pair(np.arange(9).reshape(3, 3), 8),
    lambda: first_pair(np.array([[4, -1], [2, 1]]), 100),
]

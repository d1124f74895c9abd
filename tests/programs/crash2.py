"""Scenario C on other names, types and lines: two dimensions, float32, a loop."""

import numpy as np
from numba import njit


@njit(debug=True)
def pick(grid, row):
    best = np.float32(0)
    for k in range(4):
        cell = grid[row, k]  # at: crash
        if cell > best:
            best = cell
    return best


def start():
    grid = np.ones((3, 4), dtype=np.float32)
    return pick(grid, 400_000_000)  # at: call


if __name__ == "__main__":
    print(start())  # at: main

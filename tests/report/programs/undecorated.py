"""Compiled functions without debug=True that crash by an index. Usage: undecorated.py KIND"""

import sys

import numpy as np
from numba import njit


@njit
def field_of(points, i):
    points[i].x = 3
    return points[0].y


@njit
def named_field(points, i):
    total = 0.0
    for k in range(2):
        total += points[k + i]["y"]
    return total


@njit
def row_field(grid, i, j):
    grid[0, 0].x = 1
    return grid[i, j].y


POINTS = np.zeros(4, [("x", "i4"), ("y", "f8")]).view(np.recarray)
GRID = np.zeros((3, 2), [("x", "i4"), ("y", "f8")]).view(np.recarray)
FAR = 10**9
KINDS = {
    "field_of": lambda: field_of(POINTS, FAR),
    "named_field": lambda: named_field(POINTS, FAR),
    "row_field": lambda: row_field(GRID, 1, FAR),
}
KINDS[sys.argv[1]]()

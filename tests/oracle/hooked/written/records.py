"""A structured array: fields read and written by name."""

import numpy as np
from numba import njit

POINT = np.dtype([("x", np.float64), ("y", np.float64), ("kind", np.int32)])


@njit(debug=True)
def move(points, dx):
    moved = 0
    for i in range(len(points)):
        p = points[i]
        if p.kind == 1:
            p.x += dx
            moved += 1
        else:
            p.y = p.x
    width = 0.0
    for p in points:
        width = max(width, p.x)
    return moved, width


def points():
    made = np.zeros(3, dtype=POINT)
    made["x"] = [1.0, 2.0, 3.0]
    made["kind"] = [1, 0, 1]
    return made.view(np.recarray)


CALLS = [lambda: move(points(), 0.5)]

"""Parts of stumpy.core: a parallel loop, and functions that compiled ones call."""

import numpy as np
from stumpy import core

SOURCE = core.__file__
INTERPRETED = [core]
SERIES = np.array([1.0, 2.5, 2.5, 2.5, -4.0, 0.5, 7.0, 7.0])
LEFT, RIGHT = np.array([[0.5, 1.5], [2.0, 3.0]]), np.array([[0.25, 1.0], [4.0, 5.0]])
INDICES = np.array([[3, 4], [5, 6]]), np.array([[7, 8], [9, 2]])


def merged():
    left, indices = LEFT.copy(), INDICES[0].copy()
    core._merge_topk_PI(left, RIGHT.copy(), indices, INDICES[1].copy())
    return left, indices


CALLS = [
    lambda: core._rolling_isconstant(SERIES, 3),
    lambda: core._get_array_ranges(np.array([3, 1, 4, 1, 5]), 2, False),
    lambda: core._count_diagonal_ndist(np.arange(-2, 3), 3, 9, 7),
    merged,
]

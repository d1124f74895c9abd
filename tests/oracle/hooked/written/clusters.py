"""k-means on a line, until nothing moves."""

import numpy as np
from numba import njit


@njit(debug=True)
def assign(points, centers, labels):
    changed = 0
    for i in range(points.shape[0]):
        best = -1
        nearest = np.inf
        for c in range(centers.shape[0]):
            d = abs(points[i] - centers[c])
            if d < nearest:
                nearest = d
                best = c
        if labels[i] != best:
            labels[i] = best
            changed += 1
    return changed


@njit(debug=True)
def clusters(points, k):
    centers = points[:k].copy()
    labels = np.full(points.shape[0], -1)
    rounds = 0
    while True:
        moved = assign(points, centers, labels)
        rounds += 1
        if moved == 0 or rounds > 10:
            break
        for c in range(k):
            total = 0.0
            members = 0
            for i in range(points.shape[0]):
                if labels[i] == c:
                    total += points[i]
                    members += 1
            if members:
                centers[c] = total / members
    return rounds, centers.sum()


CALLS = [lambda: clusters(np.array([1.0, 1.5, 8.0, 9.0, 2.0]), 2)]

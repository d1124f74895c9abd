"""Memberships of neighbours, which a parallel loop computes, and distances."""

import numpy as np
from umap import distances

SOURCE = distances.__file__
INTERPRETED = [distances]
X, Y = np.array([1.0, 0.0, 2.5]), np.array([0.5, 4.0, 1.0])

CALLS = [
    lambda: distances.canberra(X, Y),
    lambda: distances.bray_curtis(X, Y),
    lambda: distances.minkowski_grad(X, Y, 2.0),
    lambda: distances.hamming(X, Y),
]

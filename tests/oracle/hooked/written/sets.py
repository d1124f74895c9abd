"""Union-find with path halving."""

import numpy as np
from numba import njit


@njit(debug=True)
def find(parent, x):
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


@njit(debug=True)
def components(n, pairs):
    parent = np.arange(n)
    size = np.ones(n, dtype=np.int64)
    left = n
    for a, b in pairs:
        ra = find(parent, a)
        rb = find(parent, b)
        if ra == rb:
            continue
        if size[ra] < size[rb]:
            ra, rb = rb, ra
        parent[rb] = ra
        size[ra] += size[rb]
        left -= 1
    return left, size.max()


CALLS = [lambda: components(6, np.array([[0, 1], [2, 3], [1, 3], [0, 2], [4, 5]]))]

"""Shortest ways in a graph of rows, by a heap."""

import heapq

import numpy as np
from numba import njit


@njit(debug=True)
def shortest(starts, ends, costs, source):
    n = len(starts) - 1
    far = np.full(n, 1e9)
    far[source] = 0.0
    heap = [(0.0, source)]
    visits = 0
    while heap:
        d, node = heapq.heappop(heap)
        if d > far[node]:
            continue
        visits += 1
        for edge in range(starts[node], starts[node + 1]):
            other = ends[edge]
            new = d + costs[edge]
            if new < far[other]:
                far[other] = new
                heapq.heappush(heap, (new, other))
    return far.sum(), visits


CALLS = [lambda: shortest(np.array([0, 2, 3, 4, 4]), np.array([1, 2, 3, 3]), np.array([4.0, 1.0, 1.0, 6.0]), 0)]

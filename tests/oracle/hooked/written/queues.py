"""heapq and bisect by hand, a ring buffer, a stack of lists."""

import heapq

import numpy as np
from numba import njit


@njit(debug=True)
def merged(a, b):
    heap = [(x, 0) for x in a]
    heapq.heapify(heap)
    for y in b:
        heapq.heappush(heap, (y, 1))
    order = 0
    turn = 0
    while heap:
        value, source = heapq.heappop(heap)
        order = (order * 2 + source) % 1000003
        turn += value
    return order, turn


@njit(debug=True)
def dijkstra(weights, start):
    n = weights.shape[0]
    far = np.full(n, np.inf)
    far[start] = 0.0
    heap = [(0.0, start)]
    pops = 0
    while len(heap) > 0:
        d, u = heapq.heappop(heap)
        pops += 1
        if d > far[u]:
            continue
        for v in range(n):
            w = weights[u, v]
            if w > 0 and d + w < far[v]:
                far[v] = d + w
                heapq.heappush(heap, (d + w, v))
    return far, pops


@njit(debug=True)
def ring(n, size):
    buffer = np.zeros(size, np.int64)
    head = tail = 0
    lost = 0
    for i in range(n):
        following = (head + 1) % size
        if following == tail:
            lost += buffer[tail]
            tail = (tail + 1) % size
        buffer[head] = i * i
        head = following
    return buffer, head, tail, lost


W = (np.arange(49).reshape(7, 7) * 13) % 10
CALLS = [
    lambda: merged(np.array([5, 1, 9]), np.array([4, 2])),
    lambda: dijkstra(W.astype(float), 0),
    lambda: ring(50, 8),
]

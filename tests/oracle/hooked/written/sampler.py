"""A sampler: one state array that is passed on, sets of numbers, a heap, a generator that is left half-way."""

import heapq

import numpy as np
from numba import njit


@njit(debug=True)
def shift(state):
    x = state[0]
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    state[0] = x
    return x / 4294967296.0


@njit(debug=True)
def draws(state, n):
    kept = 0
    for i in range(n):
        u = shift(state)
        if u < 0.5:
            kept += 1
            yield i, u
    yield -kept, 0.0


@njit(debug=True)
def pick(n):
    state = np.array([2463534242], np.int64)
    heap = [(2.0, -1)]
    kinds = {0}
    for i, u in draws(state, n):
        heapq.heappush(heap, (u, i))
        kinds.add(1 if u < 0.25 else 2)
        if i < 0:
            break
    least, at = heapq.heappop(heap)
    marks = {at * 0.5}
    marks.add(len(heap) - 0.25)
    line = np.zeros(5)
    line[at % 5] = least
    return at, len(kinds), len(marks), line


CALLS = [lambda: pick(4), lambda: pick(1)]

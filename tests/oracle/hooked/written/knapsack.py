"""The knapsack, and which things are in it."""

import numpy as np
from numba import njit


@njit(debug=True)
def knapsack(weights, worths, room):
    n = len(weights)
    table = np.zeros((n + 1, room + 1), dtype=np.int64)
    for i in range(1, n + 1):
        weight, worth = weights[i - 1], worths[i - 1]
        for r in range(room + 1):
            table[i, r] = table[i - 1, r]
            if weight <= r:
                table[i, r] = max(table[i, r], table[i - 1, r - weight] + worth)
    taken = []
    r = room
    for i in range(n, 0, -1):
        if table[i, r] != table[i - 1, r]:
            taken.append(i - 1)
            r -= weights[i - 1]
    return table[n, room], len(taken)


CALLS = [lambda: knapsack(np.array([1, 3, 4]), np.array([15, 20, 30]), 5)]

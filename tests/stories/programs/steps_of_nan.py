r"""
report: librosa/librosa#1014
what: A table of steps stays uninitialised where the costs are NaN, and its numbers are used as indices.
cause: `step` = \d+ is outside axis 0 of `moves`
"""

import numpy as np
from numba import njit


@njit
def fill(costs, moves, steps):
    for n in range(1, costs.shape[0]):
        for m in range(1, costs.shape[1]):
            best = np.inf
            for k in range(moves.shape[0]):
                cost = costs[n - moves[k, 0], m - moves[k, 1]]
                if cost < best:
                    best = cost
                    steps[n, m] = k


@njit
def backtrack(steps, moves):
    n, m = steps.shape[0] - 1, steps.shape[1] - 1
    path = 0
    while n > 0 and m > 0:
        step = steps[n, m]
        n -= moves[step, 0]
        m -= moves[step, 1]
        path += 1
    return path


moves = np.array([[1, 1], [0, 1], [1, 0]])
costs = np.full((6, 6), np.nan)
steps = np.full((6, 6), 0x4040404040)  # what was in the memory that np.empty has returned
fill(costs, moves, steps)
print(backtrack(steps, moves))

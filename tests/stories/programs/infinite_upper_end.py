r"""
report: numba/numba#10519
what: A search between zero and infinity ends at infinity, in a function with fastmath=True.
before: break {end}
before: run
cause: has fastmath=True, for which there are no NaNs and infinities, so that high == np\.inf \(line 33\) may be wrong
"""

import numpy as np
from numba import njit


@njit(fastmath=True)
def smooth(distances, target):
    low = 0.0
    high = np.inf
    middle = 1.0
    for _ in range(64):
        total = 0.0
        for j in range(1, distances.shape[0]):
            distance = distances[j] - distances[0]
            if distance > 0:
                total += np.exp(-(distance / middle))
            else:
                total += 1.0
        if np.fabs(total - target) < 1e-5:
            break
        if total > target:
            high = middle
            middle = (low + high) / 2.0
        else:
            low = middle
            if high == np.inf:
                middle *= 2
            else:
                middle = (low + high) / 2.0
    return middle  # at: end


distances = np.array([0.0, 2.0, 4.12310563, 7.0, 8.0])
print(smooth(distances, np.log2(5)), smooth.py_func(distances, np.log2(5)))

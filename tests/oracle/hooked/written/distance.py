"""The edit distance of two texts, with two rows."""

import numpy as np
from numba import njit


@njit(debug=True)
def distance(left, right):
    previous = np.arange(len(right) + 1)
    current = np.zeros(len(right) + 1, dtype=np.int64)
    for i, one in enumerate(left):
        current[0] = i + 1
        for j, other in enumerate(right):
            cost = 0 if one == other else 1
            best = previous[j] + cost
            if previous[j + 1] + 1 < best:
                best = previous[j + 1] + 1
            if current[j] + 1 < best:
                best = current[j] + 1
            current[j + 1] = best
        previous, current = current, previous
    return previous[len(right)]


CALLS = [lambda: distance("kitten", "sit"), lambda: distance("", "ab")]

"""A walk of many, in parallel: an array a worker, a while in it, break and continue."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def collatz(low, high):
    steps = np.zeros(high - low, dtype=np.int64)
    longest = 0
    for i in prange(high - low):
        n = low + i
        if n < 1:
            continue
        count = 0
        while n != 1:
            if n % 2 == 0:
                n //= 2
            else:
                n = 3 * n + 1
            count += 1
            if count > 100:
                break
        steps[i] = count
        longest = max(longest, count)
    mean = steps.mean()
    return longest, mean


CALLS = [lambda: collatz(0, 5)]

"""A loop whose lines have breakpoints with conditions."""

import numpy as np
from numba import njit


@njit
def loop(n, x):
    a = np.arange(n)
    k = np.int8(-7)
    half = np.float32(0.1)
    total = 0.0
    for i in range(n):
        low = i // 2  # at: 0
        low = low + 1  # at: 1
        low = low + 2  # at: 2
        low = low + 3  # at: 3
        low = low + 4  # at: 4
        low = low + 5  # at: 5
        low = low + 6  # at: 6
        low = low + 7  # at: 7
        low = low + 8  # at: 8
        low = low + 9  # at: 9
        total += a[i] * x + k + half + low
    return total


if __name__ == "__main__":
    print(loop(8, 1.5))

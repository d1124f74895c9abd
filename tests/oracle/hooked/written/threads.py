"""nogil=True: the same function in two threads at once."""

import concurrent.futures

import numpy as np
from numba import njit


@njit(debug=True, nogil=True)
def work(seed, n):
    x = seed
    best = 0
    for i in range(n):
        x = (x * 1103515245 + 12345) % 2147483648
        if x > best:
            best = x
    a = np.zeros(16)
    for i in range(n):
        a[i % 16] += i
    return best, a.sum()


def both():
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(work, (1, 2, 3, 4), (5000, 5001, 2, 0)))


CALLS = [both]

"""The sieve of Eratosthenes."""

import numpy as np
from numba import njit


@njit(debug=True)
def sieve(n):
    flags = np.ones(n + 1, dtype=np.bool_)
    flags[:2] = False
    p = 2
    while p * p <= n:
        if flags[p]:
            k = p * p
            while k <= n:
                flags[k] = False
                k += p
        p += 1
    count = 0
    last = -1
    for i in range(n + 1):
        if flags[i]:
            count += 1
            last = i
    return count, last


CALLS = [lambda: sieve(30)]

"""Found with a program written by hand: what a loop leaves, for which LLVM divides in 128 bits."""

import numpy as np
from numba import njit


@njit(debug=True)
def sieve(n):
    flags = np.ones(n + 1, dtype=np.bool_)
    count = 0
    for p in range(2, n + 1):
        if not flags[p]:
            continue
        count += 1
        k = p * p
        while k <= n:
            flags[k] = False
            k += p
    return count


CALLS = [lambda: sieve(20)]

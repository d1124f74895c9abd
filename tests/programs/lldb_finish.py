"""Functions that are left by recursion, an exception, a block in object mode, and from an inlined call."""

import numpy as np
from numba import njit, objmode


@njit
def factorial(n):
    if n < 2:
        return 1  # at: deepest
    below = factorial(n - 1)
    return n * below


@njit
def refuses(n):
    if n > 3:
        raise ValueError("too great", n)
    return n


@njit
def passes_on(n):
    kept = refuses(n) + 1
    return kept


@njit
def halved(x):
    y = x / 2  # at: inlined
    return y + 1


@njit
def around(x):
    z = halved(x) * 10
    return z


@njit
def with_block(n):
    with objmode(m="int64"):
        m = int(np.int64(n) * 3)  # at: block
    return m + 1


def main():
    print(factorial(4))
    try:
        passes_on(9)
    except ValueError as error:
        print(error.args)
    print(around(5.0))
    print(with_block(5))


main()

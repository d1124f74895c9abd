"""An array expression's loop, which is compiled before the loop behind it; a loop that is compiled later."""

import numpy as np
from numba import njit, prange


@njit(parallel=True, debug=True)
def first(a, k):
    b = a * 2  # at: expression
    total = 0.0
    for i in prange(a.size):  # at: header
        w = b[i] + k  # at: body
        total += w
    return total  # at: behind


@njit(parallel=True, debug=True)
def second(a):
    for j in prange(a.size):
        a[j] = a[j] + 1  # at: later
    return a.sum()  # at: last


def main():
    a = np.arange(16.0)
    print(first(a, 3))
    print(second(a))
    print("end")


main()

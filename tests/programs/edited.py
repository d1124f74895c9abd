"""A program to debug in an editor: functions with a plain @njit, whose caller is Python."""

import numpy as np
from numba import njit


@njit
def weigh(a, factor):
    total = 0.0
    for i in range(a.size):
        total += a[i] * factor  # at: body
    pair = (a.size, total)
    return pair  # at: return


def main():
    numbers = np.arange(6.0)
    result = weigh(numbers, 3)  # at: call
    print("result", result)  # at: print


main()  # at: main

"""Variables at moments before their assignment, in functions and in workers of parallel loops. Compiled with
NUMBA_DEBUGINFO=1, with which the functions that Numba calls for a typed list have debug information, too."""

import numpy as np
from numba import njit, prange
from numba.typed import List

import jitscope


@njit
def sizeless(n):
    count = n + 1
    empty = ()  # at: empty
    nested = ((), ())
    return count + len(empty) + len(nested)  # at: sizeless-end


@njit(parallel=True)
def total_of(values, factor):
    total = 10.0
    for each in prange(values.shape[0]):
        total += values[each] * factor
    return total


@njit(parallel=True)
def fill(items, count):
    for index in prange(count):
        items[index] = 2.0  # at: item
    return items


@jitscope.steps
@njit(fastmath=True)
def quick(a, b):
    product = a * b
    return product * a * b  # at: quick


sizeless(3)
total_of(np.ones(8), 0.5)
fill(List([1.0, 3.0]), 2)
quick(0.1, 0.3)

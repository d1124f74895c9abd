"""Compiled functions that crash, for crashes.py."""

import numba


@numba.njit(debug=True)
def store(values, index):
    values[index] += 1.0  # here: index
    return values[0]


@numba.njit
def deeper(number):
    if number < 0:
        return 0
    return deeper(number + 1) + deeper(number + 2)  # here: overflow


@numba.njit(parallel=True)
def in_workers(values, index):
    total = 0.0
    for i in numba.prange(2):
        total += store(values[i], index)
    return total

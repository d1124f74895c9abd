"""Functions without debug information, of a package."""

from numba import njit


@njit  # at: decorator
def bare(n):
    total = 0
    for i in range(n):
        total += i  # at: bare
    return total


def helper(n):  # at: def
    return n + 1  # at: helper


def passed(n):
    return n * 2  # at: passed


compiled = njit(passed)  # at: module

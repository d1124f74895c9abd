"""Prints how long a call takes that raises through five compiled functions, and one that does not, in seconds."""

import time

from numba import njit

TIMES = 20000


@njit
def deepest(x):
    if x > 3:
        raise ValueError("too large")
    return x


@njit
def fourth(x):
    return deepest(x) + 1


@njit
def third(x):
    return fourth(x) + 1


@njit
def second(x):
    return third(x) + 1


@njit
def first(x):
    return second(x) + 1


def raises():
    started = time.perf_counter()
    for _ in range(TIMES):
        try:
            first(9)
        except ValueError:
            pass
    return (time.perf_counter() - started) / TIMES


def returns():
    started = time.perf_counter()
    for _ in range(TIMES):
        first(1)
    return (time.perf_counter() - started) / TIMES


first(1)
raises()
print(raises(), returns())

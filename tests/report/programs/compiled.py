"""Compiled functions that crash, for crashes.py."""

import ctypes

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


C = ctypes.CDLL(None)
gettid, getpid, pause = C.gettid, C.getpid, C.usleep
gettid.argtypes = getpid.argtypes = ()
pause.argtypes = [ctypes.c_uint]


@numba.njit(parallel=True)
def overflow_in_a_worker(count):
    """Overflow the stack of a thread other than the first."""
    total = 0
    for _ in numba.prange(count):
        pause(20000)
        if gettid() != getpid():
            total += deeper(1)
    return total


@numba.njit(parallel=True)
def in_workers(values, index):
    total = 0.0
    for i in numba.prange(2):
        total += store(values[i], index)
    return total

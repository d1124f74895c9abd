"""Workers that all come to one place; run with NUMBA_NUM_THREADS=4. argv: files, each of which begins a round."""

import ctypes
import pathlib
import sys
import time

import numpy as np
from numba import njit, prange

import jitscope

usleep = ctypes.CDLL(None).usleep
usleep.argtypes = [ctypes.c_uint]
usleep.restype = ctypes.c_int


@njit(debug=True, parallel=True)
def foo(a):
    total = 0.0
    for i in prange(a.shape[0]):
        square = a[i] * a[i]
        if i % 4 < 2 and i < 13:
            jitscope.breakpoint()  # at: meeting
        total += square
    return total


@njit(debug=True, parallel=True)
def lined(a):
    total = 0.0
    for i in prange(a.shape[0]):  # at: edge
        square = a[i] * a[i]
        square += 0.5  # at: line
        total += square  # at: next
    return total  # at: behind


@njit(debug=True)
def positive(number):
    if number < 1:
        raise ValueError(number)
    return number


@njit(debug=True, parallel=True)
def raising(a, at):
    for i in prange(at.shape[0]):  # at: first
        a[i] += 1.0
        a[i] += positive(at[i])
        a[i] += 1.0  # at: stays
    return a


@njit(debug=True, parallel=True)
def late(a):
    for i in prange(a.shape[0]):
        if i == 3:
            usleep(700_000)
        a[i] += 1.0  # at: late
    return a


@njit(debug=True, parallel=True)
def plain(a):
    for i in prange(a.shape[0]):
        a[i] += 1.0  # at: exact
    return a


def one_round():
    return late(np.zeros(4)).sum(), lined(np.arange(14.0)), foo(np.arange(16.0)), foo(np.arange(16.0))


if len(sys.argv) > 1:
    one_round()
    print("ready", flush=True)
    for path in map(pathlib.Path, sys.argv[1:]):
        while not path.exists():
            time.sleep(0.01)
        print(*one_round(), flush=True)
    sys.stdin.read()
else:
    print(lined(np.arange(14.0)))
    at = np.ones(16, np.int64)
    at[5] = 0  # worker 1 leaves at its second turn; Numba goes on with the others, and tells nobody
    a = np.zeros(16)
    try:
        raising(a, at)
    except (SystemError, ValueError):  # where it was this thread that worker 1's turns were in
        pass
    print(a.sum())
    print(foo(np.arange(16.0)))
    print(foo(np.arange(16.0)))
    print(late(np.zeros(4)).sum())
    print(plain(np.ones(4)).sum())
    print(plain(np.ones(5)).sum())

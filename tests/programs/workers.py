"""Parallel loops that write down which thread ran which turn, by the kernel's id, and print it at the end."""

import ctypes
import json

import numpy as np
from numba import njit, pndindex, prange
from workers_other import elsewhere

gettid = ctypes.CDLL(None).gettid
gettid.argtypes = []
gettid.restype = ctypes.c_int


@njit(debug=True, parallel=True)
def fill(who, a):
    total = 0
    for i in prange(who.shape[0]):  # at: header
        t = a[i] * 2
        who[i] = gettid()
        total += t  # at: body
        a[i] = t  # at: last
    return total  # at: after


@njit(debug=True, parallel=True)
def signed(who):
    for k in prange(-5, 8):
        who[k + 5] = gettid()  # at: signed
    return who


@njit(debug=True, parallel=True)
def grid(who):
    for at in pndindex(who.shape):
        who[at] = gettid()  # at: grid
    return who


@njit(debug=True, parallel=True)
def inner(who, row):  # Numba runs it in one thread where a parallel loop calls it
    for j in prange(who.shape[1]):
        who[row, j] = gettid()  # at: inner
    return who


@njit(debug=True, parallel=True)
def outer(who, ran):
    for row in prange(who.shape[0]):
        ran[row] = gettid()
        inner(who, row)  # at: outer
    return who


def main(asked):
    """The first loop, those that are asked for, and the first once more."""
    said = {}
    for name in ("fill", "signed", "grid", "outer", "again"):
        said[name] = np.zeros((5, 7) if name == "grid" else 13, np.int64)
    elsewhere(np.zeros(13, np.int64))
    fill(said["fill"], np.arange(13))
    if "signed" in asked:
        signed(said["signed"])
    if "grid" in asked:
        grid(said["grid"])
    if "outer" in asked:
        outer(np.zeros((13, 2), np.int64), said["outer"])
    fill(said["again"], np.arange(13))
    print("who:", json.dumps({name: array.tolist() for name, array in said.items()}))


if __name__ == "__main__":
    import sys

    main(sys.argv[1:] or ["signed", "grid", "outer"])

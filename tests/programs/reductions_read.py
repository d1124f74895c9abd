"""Parallel loops whose bodies read a reduction: a place to write to, and a running maximum."""

import numpy as np
from numba import njit, prange


@njit(parallel=True)
def select(values, out):
    n = 0
    for i in prange(len(values)):  # at: select
        if values[i] > 0:
            out[n] = values[i]  # at: place
            n += 1
    return n  # at: selected


@njit(parallel=True)
def running(values, out):
    best = 0.0
    for i in prange(len(values)):  # at: running
        best = max(best, values[i])
        out[i] = best  # at: best
    return best  # at: ran


@njit(parallel=True)
def total(values, out):
    s = 0.0
    for i in prange(len(values)):
        out[i] = values[i]
        s += out[i]
    return s  # at: total


values = np.arange(8.0, 0.0, -1.0)
out = np.zeros(8)
print("EXPECT", select(values, out), out)
out = np.zeros(8)
print("EXPECT", running(values, out), out)
print("EXPECT", total(values, out), out)

# ruff: noqa: B007, F841, E731 (what is assigned need not be read to be shown)
"""The caller's count, which LLVM keeps in a register, grows between a callee's marker and its store: a fault in
the store was the caller's."""

import numpy as np
from numba import njit


@njit(debug=True)
def store(dst, where, val):
    twice = val * 2
    dst[where] = twice


@njit(debug=True)
def scatter(dst, idx, gain):
    done = 0
    for i in range(idx.size):
        p = idx[i]
        store(dst, p, gain * i)
        done += 1
    return done


CALLS = [lambda: scatter(np.zeros(4), np.arange(1), 0.5), lambda: scatter(np.zeros(4), np.arange(1, 2), 1.5)]
FAULT = lambda: scatter(np.zeros(4), np.array([-(1 << 40)]), 0.5)

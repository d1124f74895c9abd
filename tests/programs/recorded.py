"""Parallel loops whose workers have elements in common, or not: run with NUMBA_NUM_THREADS=4 at steps."""

import sys

import numpy as np
from numba import njit, prange

import jitscope


@njit(debug=True, parallel=True)
def accumulated(acc, a):
    for i in prange(a.shape[0]):  # at: header
        acc[0] += a[i]  # at: accumulated
    return acc[0]


@njit(debug=True, parallel=True)
def in_place(a):
    for i in prange(1, a.shape[0] - 1):
        a[i] = a[i - 1] + a[i + 1]  # at: in_place


@njit(debug=True, parallel=True)
def shared_scratch(a, out):
    scratch = np.empty(2)
    for i in prange(a.shape[0]):
        scratch[0] = a[i]  # at: filled
        scratch[1] = i
        out[i] = scratch[0] + scratch[1]  # at: used


@njit(debug=True, parallel=True)
def correct(a, out, grid, halves):
    total = 0.0
    for i in prange(a.shape[0]):
        out[i] = a[a.shape[0] - 1 - i] * 2  # at: correct
        for j in range(grid.shape[0]):
            grid[j, i] = i  # at: column
        halves[2 * i] = halves[2 * i + 1]  # at: halves
        mine = np.zeros(3)
        mine[i % 3] = a[i]
        total += mine.sum()
    return total  # at: behind


def main():
    accumulated(np.zeros(1), np.ones(12))
    in_place(np.ones(12))
    shared_scratch(np.ones(12), np.zeros(12))
    print(correct(np.arange(12.0), np.zeros(12)[::-1], np.zeros((5, 12), np.int16), np.zeros(24, np.float32)))


if sys.argv[1:] == ["record"]:
    jitscope.record_writes(True)
main()

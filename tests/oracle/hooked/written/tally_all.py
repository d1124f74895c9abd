"""Parallel loops: reductions, of arrays too, a prange in a prange, private variables, an index that is not read."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def histogram_of(x_in, n_bins):
    low_est = np.inf
    high_est = -np.inf
    for i_x in prange(x_in.shape[0]):
        low_est = min(low_est, x_in[i_x])
        high_est = max(high_est, x_in[i_x])
    bins = np.zeros(n_bins, np.int64)
    scale = n_bins / (high_est - low_est + 1.0)
    for i_x in prange(x_in.shape[0]):
        at = int((x_in[i_x] - low_est) * scale)
        one_hot = np.zeros(n_bins, np.int64)
        one_hot[at] = 1
        bins += one_hot
    return bins, low_est, high_est


@njit(debug=True, parallel=True)
def pairs(x_in, times):
    acc = 0.0
    prod = 1.0
    for i in prange(x_in.shape[0]):
        inner = 0.0
        for j in prange(x_in.shape[0]):
            d = x_in[i] - x_in[j]
            inner += d * d
        acc += inner
        prod *= 1.0 + inner / 64.0
    hits = 0
    for t in prange(times):
        hits += 2
    return acc, prod, hits


@njit(debug=True)
def bump(row, by):
    for k in range(row.shape[0]):
        row[k] = row[k] * 2 + by
    return row.sum()


@njit(debug=True, parallel=True)
def all_rows(table):
    sums = np.zeros(table.shape[0])
    for r in prange(table.shape[0]):
        row = table[r]
        s = bump(row, 5.0)
        if s > 30:
            s = -s
        sums[r] = s
    return sums


CALLS = [
    lambda: histogram_of(np.array([1.0, 4.0, 2.0, 8.0, 5.0]), 3),
    lambda: pairs(np.array([1.0, 3.0, 0.5, 2.0]), 4),
    lambda: all_rows(np.arange(8.0).reshape(4, 2)),
]

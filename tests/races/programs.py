"""Parallel loops, right and wrong. CORRECT and RACY: name → function and how its arguments are made."""

import numpy as np
from numba import get_num_threads, get_thread_id, njit, prange

N = 1003


def made(*shape):
    return np.random.RandomState(1).rand(*shape)


# -- correct


@njit(parallel=True)
def float_sum(a):
    total = 0.0
    for i in prange(a.shape[0]):
        total += a[i] * 0.1
    return total


@njit(parallel=True)
def largest(a):
    found = -np.inf
    for i in prange(a.shape[0]):
        found = max(found, a[i])
    return found


@njit(parallel=True)
def rows(a):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = a[i, j] * 2 + i


@njit(parallel=True)
def halo(a, out):
    for i in prange(1, a.shape[0] - 1):
        out[i] = a[i - 1] + a[i] + a[i + 1]


@njit(parallel=True)
def worker_scratch(a, out):
    scratch = np.zeros((get_num_threads(), 3))
    for i in prange(a.shape[0]):
        mine = scratch[get_thread_id()]
        mine[0] = a[i]
        mine[1] = mine[0] * 2
        mine[2] = mine[0] + mine[1]
        out[i] = mine[2]


@njit(parallel=True)
def turn_scratch(a, out):
    for i in prange(a.shape[0]):
        scratch = np.empty(4)
        for k in range(4):
            scratch[k] = a[i] * k
        out[i] = scratch.sum()


@njit(parallel=True)
def two_dimensions(n):
    out = np.zeros((n, n))
    for i in prange(n):
        for j in prange(n):
            out[i, j] = i * n + j
    return out


@njit(parallel=True)
def conditional(a, out):
    for i in prange(a.shape[0]):
        if a[i] > 0.5:
            out[i] = 1
        elif i % 3 == 0:
            out[i] = 2


@njit(parallel=True)
def prefix_copies(a, out):
    for i in prange(out.shape[0]):
        out[i, : i + 1] = a[: i + 1]


@njit(parallel=True)
def histogram(a, bins):
    private = np.zeros((get_num_threads(), bins.shape[0]), np.int64)
    for i in prange(a.shape[0]):
        private[get_thread_id(), int(a[i] * bins.shape[0])] += 1
    for b in prange(bins.shape[0]):
        bins[b] = private[:, b].sum()


@njit(parallel=True)
def columns(a):
    for j in prange(a.shape[1]):
        for i in range(1, a.shape[0]):
            a[i, j] += a[i - 1, j]


@njit(parallel=True)
def interleaved(a):
    for i in prange(a.shape[0] // 2):
        a[2 * i] = a[2 * i + 1]


@njit(parallel=True)
def flags(a, out):
    for i in prange(a.shape[0]):
        out[i] = a[i] > 0.5


@njit(parallel=True)
def backwards(a, out):
    reverse = out[::-1]
    for i in prange(a.shape[0]):
        reverse[i] = a[i]


@njit
def smoothed(row, out):
    for j in range(1, row.shape[0] - 1):
        out[j] = (row[j - 1] + row[j] + row[j + 1]) / 3


@njit(parallel=True)
def called(a, out):
    for i in prange(a.shape[0]):
        smoothed(a[i], out[i])


CORRECT = {
    "float_sum": (float_sum, lambda: (made(N),)),
    "largest": (largest, lambda: (made(N),)),
    "rows": (rows, lambda: (made(31, 7),)),
    "halo": (halo, lambda: (made(N), np.zeros(N))),
    "worker_scratch": (worker_scratch, lambda: (made(N), np.zeros(N))),
    "turn_scratch": (turn_scratch, lambda: (made(N), np.zeros(N))),
    "two_dimensions": (two_dimensions, lambda: (37,)),
    "conditional": (conditional, lambda: (made(N), np.zeros(N, np.int8))),
    "prefix_copies": (prefix_copies, lambda: (made(64), np.zeros((64, 64)))),
    "histogram": (histogram, lambda: (made(N), np.zeros(16, np.int64))),
    "columns": (columns, lambda: (made(11, 33),)),
    "interleaved": (interleaved, lambda: (made(N),)),
    "flags": (flags, lambda: (made(N), np.zeros(N, np.bool_))),
    "backwards": (backwards, lambda: (made(N), np.zeros(N))),
    "called": (called, lambda: (made(31, 9), np.zeros((31, 9)))),
}


# -- racy


@njit(parallel=True)
def accumulated(acc, a):
    for i in prange(a.shape[0]):
        acc[0] += a[i]  # at: accumulated
    return acc[0]


@njit(parallel=True)
def in_place(a):
    for i in prange(1, a.shape[0] - 1):
        a[i] = a[i - 1] + a[i + 1]  # at: in_place


@njit(parallel=True)
def shared_scratch(a, out):
    scratch = np.empty(2)
    for i in prange(a.shape[0]):
        scratch[0] = a[i]  # at: filled
        scratch[1] = i
        out[i] = scratch[0] + scratch[1]  # at: used


@njit(parallel=True)
def overlapping(a):
    head = a[: a.shape[0] - 1]
    tail = a[1:]
    for i in prange(head.shape[0]):
        tail[i] = head[i]  # at: overlapping


@njit(parallel=True)
def shared_bins(a, bins):
    for i in prange(a.shape[0]):
        bins[int(a[i] * bins.shape[0])] += 1  # at: shared_bins


@njit
def count(where):
    where[0] += 1  # at: count


@njit(parallel=True)
def by_call(a, where):
    for i in prange(a.shape[0]):
        if a[i] > 0.5:
            count(where)


@njit(parallel=True)
def bytes_beside(out):
    for i in prange(out.shape[0]):
        out[i] = 1  # at: own byte
        out[(i + 1) % out.shape[0]] = 2  # at: next byte


RACY = {
    "accumulated": (accumulated, lambda: (np.zeros(1), made(N))),
    "in_place": (in_place, lambda: (made(N),)),
    "shared_scratch": (shared_scratch, lambda: (made(N), np.zeros(N))),
    "overlapping": (overlapping, lambda: (made(N),)),
    "shared_bins": (shared_bins, lambda: (made(N), np.zeros(4, np.int64))),
    "by_call": (by_call, lambda: (made(N), np.zeros(1, np.int64))),
    "bytes_beside": (bytes_beside, lambda: (np.zeros(N, np.int8),)),
}

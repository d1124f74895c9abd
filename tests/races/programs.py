"""Parallel loops, right and wrong, several in each function, which compiles faster. A loop that races has a line marked
`# at:`, no other has."""

import numpy as np
from numba import get_thread_id, njit, prange

N = 1003


def made(*shape):
    return np.random.RandomState(1).rand(*shape)


@njit
def smoothed(row, out):
    for j in range(1, row.shape[0] - 1):
        out[j] = (row[j - 1] + row[j] + row[j + 1]) / 3


@njit
def count(where):
    where[0] += 1  # at: count


# -- correct


@njit(parallel=True)
def elements(a, out, signs, grid, smooth):
    """Write elements that are each worker's own: with a halo that is only read, by rows, by columns, through a view
    from the end, every other one, bytes, in a function that is called, under a test. A sum follows."""
    total = 0.0
    reverse = out[::-1]
    for i in prange(1, a.shape[0] - 1):
        reverse[i] = a[i - 1] + a[i] + a[i + 1]
        total += a[i] * 0.1
        if a[i] > 0.5:
            signs[i] = 1
        elif i % 3 == 0:
            signs[i] = 2
    for i in prange(a.shape[0] // 2):
        a[2 * i] = a[2 * i + 1]
    for j in prange(grid.shape[1]):
        for i in range(1, grid.shape[0]):
            grid[i, j] += grid[i - 1, j]
    for i in prange(grid.shape[0]):
        smoothed(grid[i], smooth[i])
        grid[i, : i + 1] = i
    return total


@njit(parallel=True)
def scratch(a, out, private):
    """Use memory of each worker, and of each iteration."""
    for i in prange(a.shape[0]):
        private[get_thread_id(), int(a[i] * private.shape[1])] += 1
        mine = np.empty(4)
        for k in range(4):
            mine[k] = a[i] * k
        out[i] = mine[3]


CORRECT = {
    "elements": (
        elements,
        lambda: (made(N), np.zeros(N), np.zeros(N, np.int8), made(31, 9), np.zeros((31, 9))),
    ),
    "scratch": (scratch, lambda: (made(N), np.zeros(N), np.zeros((4, 16), np.int64))),
}


# -- racy


@njit(parallel=True)
def accumulated(acc, a):
    for i in prange(a.shape[0]):
        acc[0] += a[i]  # at: accumulated
    return acc[0]


@njit(parallel=True)
def in_place(a, b):
    total = 0.0
    for i in prange(1, a.shape[0] - 1):
        a[i] = a[i - 1] + a[i + 1]  # at: in_place
        total += b[i] * 0.1
    return total


@njit(parallel=True)
def shared(a, out, bins, where, flags):
    temporary = np.empty(2)
    for i in prange(a.shape[0]):
        temporary[0] = a[i]  # at: filled
        temporary[1] = i  # at: filled too
        out[i] = temporary[0] + temporary[1]  # at: used
        bins[int(a[i] * bins.shape[0])] += 1  # at: bins
        flags[i] = 1  # at: own byte
        flags[(i + 1) % flags.shape[0]] = 2  # at: next byte
        if a[i] > 0.5:
            count(where)
    head = a[: a.shape[0] - 1]
    tail = a[1:]
    for i in prange(head.shape[0]):
        tail[i] = head[i]  # at: overlapping


RACY = {
    "accumulated": (accumulated, lambda: (np.zeros(1), made(N))),
    "in_place": (in_place, lambda: (made(N), made(N))),
    "shared": (
        shared,
        lambda: (made(N), np.zeros(N), np.zeros(4, np.int64), np.zeros(1, np.int64), np.zeros(N, np.int8)),
    ),
}

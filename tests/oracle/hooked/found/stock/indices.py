"""Loops that number their turns, of which unoptimised code has no variable: parallel ones, alone, joined and in one
another, and those whose number nothing reads where Numba removes what is dead; what kernels are passed."""

# ruff: noqa: B007, F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def alone(rows, k):
    total = 0
    for i in prange(1, len(rows)):
        for j in range(k):
            rows[i] += j
        half = rows[i] * 0.5
        total += i
    return total


@njit(debug=True, parallel=True)
def joined(rows, k):
    first = np.zeros(len(rows))
    for i in prange(len(rows)):
        here = rows[i] * 2.0
        first[i] = here
    second = np.ones(len(rows))
    for i in prange(len(rows)):
        twice = i * k
        second[i] += twice
    return first.sum() + second.sum()


@njit(debug=True, parallel=True)
def nested(cells, times):
    out = np.zeros(cells.shape[0])
    for turn in range(times):
        for i in prange(cells.shape[0]):
            if i % 2 == 1:
                out[i] -= 1.0
            for j in prange(1, cells.shape[1]):
                part = cells[i, j] * 0.5
                out[i] += part
            out[i] += turn
    return out[0]


@njit(debug=True, parallel=True)
def given_up(rows, k, scale):
    out = np.zeros(len(rows))
    total = 0
    for i in prange(len(rows)):
        here = rows[i] * scale
        kind = i if k % 3 == 1 else -i
        out[i] = scale - here
        total += i
    return out[0] + total


@njit(debug=True)
def unread(n, values):
    half = np.array([q * 0.5 for q in range(4)])
    total = 0
    for i in range(n):
        total += 1
        for j in range(n % 3, 0, -1):
            total += n
        for m in range(2, n, 3):
            if total > 9:
                break
            total += 2
        try:
            if total > n * 4:
                raise ValueError("no")
            total += 1
        except Exception:
            total = 0
    for k in range(n - 2):
        if k > 3:
            continue
        total += 3
    return total + half[1]


CALLS = [
    lambda: alone(np.arange(6.0), 2),
    lambda: joined(np.arange(7.0), 3),
    lambda: nested(np.arange(12.0).reshape(4, 3), 2),
    lambda: given_up(np.arange(6.0), 2, 1.5),
    lambda: unread(5, np.arange(3)),
    lambda: unread(2, np.arange(3)),
    lambda: unread(-1, np.arange(3)),
]

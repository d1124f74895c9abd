"""Recursion, alone and of two functions, with lists that are passed down and variables that differ at each depth."""

import numpy as np
from numba import njit


@njit(debug=True)
def move(n, src, dst, via, log):
    if n == 0:
        return 0
    done = move(n - 1, src, via, dst, log)
    log.append(src * 10 + dst)
    done += 1
    more = move(n - 1, via, dst, src, log)
    return done + more


@njit(debug=True)
def merge_sort(a, tmp, lo, hi):
    if hi - lo < 2:
        return 0
    mid = (lo + hi) // 2
    swaps = merge_sort(a, tmp, lo, mid)
    swaps += merge_sort(a, tmp, mid, hi)
    i, j, k = lo, mid, lo
    while i < mid and j < hi:
        if a[i] <= a[j]:
            tmp[k] = a[i]
            i += 1
        else:
            tmp[k] = a[j]
            j += 1
            swaps += mid - i
        k += 1
    while i < mid:
        tmp[k] = a[i]
        i, k = i + 1, k + 1
    for at in range(lo, k):
        a[at] = tmp[at]
    return swaps


@njit(debug=True)
def solve(n):
    from_list = np.array([3, 1, 2, 0])
    log = [0]
    moved = move(n, 1, 3, 2, log)
    out = merge_sort(from_list, np.zeros(4, np.int64), 0, 4)
    return moved, len(log), out, from_list


CALLS = [lambda: solve(2), lambda: solve(3)]

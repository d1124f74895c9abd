"""Compiled functions that Python calls, one inlined in another, a parallel loop, and a fault when asked."""

import sys

import numpy as np
from numba import njit, prange

SCALE = 3.0


@njit(debug=True)
def helper(x, k):
    y = x[k] * 2
    z = y + k  # at: z
    return z


@njit(debug=True)
def work(x, n):
    total = 0.0
    for k in range(n):
        total += helper(x, k)  # at: call
    pair = (total, n)
    return pair[0] * SCALE  # at: end


@njit(debug=True, parallel=True)
def shared(out):
    for i in prange(out.size):
        half = i * 0.5
        out[i] = half + 1.0  # at: body
    return out.sum()


@njit(debug=True, boundscheck=False)
def get(x, i):
    return x[i]  # at: fault


def main():
    x = np.arange(6.0)
    name = "hello"
    print(work(x, 6), name)
    print(shared(np.zeros(8)))
    if "fault" in sys.argv:
        get(x, 1 << 40)


if __name__ == "__main__":
    main()

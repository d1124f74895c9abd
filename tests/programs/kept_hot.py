"""Loops that a debugger has its breakpoints in when it is killed."""

import sys

import numpy as np
from numba import njit, prange

import jitscope


@njit(debug=True)
def hot(a, turns):
    total = 0
    for turn in range(turns):
        for i in range(a.size):
            total += a[i] * (turn % 3)  # at: inner
        total -= turn  # at: outer
    return total


@njit(debug=True, parallel=True)
def workers(a, turns):
    total = 0
    for i in prange(a.size):
        one = 0
        for turn in range(turns):
            one += a[i] * (turn % 3)  # at: worker
        total += one  # at: sum
    return total


work = {"hot": hot, "workers": workers}[sys.argv[1]]
data = np.arange(64)
work(data, 3)
if "alone" not in sys.argv:
    jitscope.attach()
print("waiting", flush=True)
sys.stdin.readline()
expected = int(data.sum()) * sum(turn % 3 for turn in range(20000)) - (sum(range(20000)) if work is hot else 0)
print("right" if work(data, 20000) == expected else "wrong", flush=True)

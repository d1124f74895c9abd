"""A parallel loop, run again and again until standard input ends; then how often, and how often it was wrong."""

import select
import sys

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def fill(a, out):
    total = 0
    for i in prange(a.shape[0]):
        turn = 0
        for k in range(2000):
            turn += a[i] ^ k
        out[i] = turn  # at: body
        total += turn
    return total


a = np.arange(400)
wanted = (a[:, None] ^ np.arange(2000)).sum(1)
out = np.zeros_like(a)
fill(a, out)
print("ready", flush=True)
rounds = wrong = 0
while not select.select([sys.stdin], [], [], 0)[0]:
    out[:] = -1
    total = fill(a, out)
    rounds += 1
    wrong += bool((out != wanted).any() or total != wanted.sum())
print(rounds, wrong, flush=True)

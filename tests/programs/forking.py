"""Forks between two runs of a parallel loop."""

import os
import signal

import numpy as np
from numba import njit, prange


@njit(debug=True)
def prepared():
    return 1


@njit(debug=True, parallel=True)
def work(a):
    for i in prange(a.shape[0]):
        v = a[i] * 2
        a[i] = v  # at: line
    return a.sum()


a = np.ones(16)
work(a)
prepared()
child = os.fork()
if child == 0:
    signal.pause()
print(work(a))
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)

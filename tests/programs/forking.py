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
    for i in prange(a.shape[0]):  # at: loop
        v = a[i] * 2
        a[i] = v  # at: line
    return a.sum()


@njit(debug=True, parallel=True)
def other(a):
    for i in prange(a.shape[0]):
        a[i] += 1


a = np.zeros(16)
other(a)
work(a)
prepared()
child = os.fork()
if child == 0:
    signal.pause()
other(a)
print(work(a))
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)

"""Workers that all come to one place; run with NUMBA_NUM_THREADS=4. argv: a file whose coming it waits for."""

import pathlib
import sys
import time

import numpy as np
from numba import njit, prange

import jitscope


@njit(debug=True, parallel=True)
def foo(a):
    total = 0.0
    for i in prange(a.shape[0]):
        square = a[i] * a[i]
        if i % 4 < 2 and i < 13:
            jitscope.breakpoint()  # at: meeting
        total += square
    return total


for path in map(pathlib.Path, sys.argv[1:]):
    foo(np.zeros(4))
    print("ready", flush=True)
    while not path.exists():
        time.sleep(0.01)
print(foo(np.arange(16.0)))
print(foo(np.arange(16.0)))

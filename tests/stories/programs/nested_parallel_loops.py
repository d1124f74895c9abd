r"""
report: numba/numba#8563
what: A parallel loop calls a function that has a parallel loop, on the workqueue layer, which ends the program.
cause: workqueue.*because inner \(nested_parallel_loops\.py:\d+\) starts a parallel loop within that of outer
"""

import numba
import numpy as np
from numba import njit, prange

numba.config.THREADING_LAYER = "workqueue"


@njit(parallel=True)
def inner(x):
    total = 0.0
    for i in prange(len(x)):
        total += x[i]
    return total / len(x)


@njit(parallel=True)
def outer(x):
    copy = x.copy()
    for i in prange(len(x)):
        x[i] = inner(copy)


for _ in range(20):
    outer(np.ones(20000))

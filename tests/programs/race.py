"""A parallel loop that reads what its other workers write; run with NUMBA_NUM_THREADS=4."""

import numpy as np
from numba import njit, prange

import jitscope


@njit(parallel=True)
def smooth(a):
    for i in prange(1, a.shape[0] - 1):
        a[i] = a[i - 1] + a[i + 1]  # at: race


print(jitscope.race_check(smooth, np.arange(1000.0)))

for order in ("serial", "reverse"):
    a = np.arange(1000.0)
    with jitscope.schedule(order):
        smooth(a)
    print(f"{order}: a[250] = {a[250]:.0f}")

r"""
report: numba/numba#3681
what: All iterations of a parallel loop add to one element, and the sum differs from run to run.
before: jit region -record
before: break {stop}
before: run
then: jit region -writes
cause: ^  y\[0, 1\].*written at .*, written at
"""

import numpy as np
from numba import njit, prange


@njit(parallel=True)
def total(x):
    n = x.shape[0]
    y = np.zeros((2, 2))
    for i in prange(n):
        for j in range(n):
            y[0, 1] += x[i, j]
    return y  # at: stop


print(total(np.ones((200, 200))))

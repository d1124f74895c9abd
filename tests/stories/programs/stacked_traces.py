r"""
report: numba/numba#3522
what: The iterations of a parallel loop add rows of one array to a row of another, all to the same one.
before: jit region -record
before: break {stop}
before: run
then: jit region -writes
cause: ^  stacked\[1, 0\].*written at .*, written at
"""

import numpy as np
from numba import njit, prange


@njit(parallel=True)
def stack(traces, stacked, row):
    stacked[row, :] = 0.0
    for i in prange(traces.shape[0]):
        for k in range(traces.shape[1]):
            stacked[row, k] += traces[i, k]
    return stacked  # at: stop


print(stack(np.ones((64, 100)), np.zeros((3, 100)), 1))

r"""
report: numba/numba#8457
what: The iterations of a parallel loop add rows to rows chosen by labels, and two iterations have the same label.
before: jit region -record
before: break {stop}
before: run
then: jit region -writes
cause: ^  sums\[0, 0\].*written at .*, written at
"""

import numpy as np
from numba import njit, prange


@njit(parallel=True)
def by_label(values, labels, n):
    sums = np.zeros((n, values.shape[1]))
    for i in prange(values.shape[0]):
        for k in range(values.shape[1]):
            sums[labels[i], k] += values[i, k]
    return sums  # at: stop


print(by_label(np.ones((400, 5)), np.arange(400) % 7, 7).sum())

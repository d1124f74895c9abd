r"""
report: numba/numba#7133
what: Each iteration of a parallel loop also adds to the other iterations' elements, and one addition is lost.
before: jit region -record
before: break {stop}
before: run
then: jit region -writes
cause: ^  vector\[0\].*written at .*, written at
"""

import numpy as np
from numba import njit, prange


@njit(parallel=True)
def count():
    vector = np.zeros(2)
    for i in prange(2):
        for j in range(2):
            vector[j] += 1
            vector[i] += 1
    return vector  # at: stop


print(count())

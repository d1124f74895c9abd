r"""
report: numba/numba#9829
what: A parallel loop numbers elements by a counter, and two workers give the same numbers.
before: jit region -record
before: break {end}
before: run
then: jit region -writes
cause: Line \d+ reads `max_scc`, which is a reduction of this loop: a worker has only its own part of it there
"""

import numba
import numpy as np


@numba.njit(parallel=True)
def buggy_test_parallel(index, values, max_id):
    MAX_INT = np.iinfo(np.uint32).max
    array = np.ones(max_id + 1, dtype=np.uint32) * MAX_INT
    for i in numba.prange(len(index)):
        array[index[i]] = values[i]
    max_scc = values.max()
    for i in numba.prange(len(array)):
        if array[i] == MAX_INT:
            array[i] = max_scc + 1  # at: body
            max_scc += 1
    return array  # at: end


print(buggy_test_parallel(np.array([9, 11, 12, 15, 19]), np.array([0, 1, 2, 3, 4]), 20))

r"""
report: numba/numba#10151
what: A comparison of a uint64 with a uint64 plus a literal is true, although the first is smaller.
before: break {stop}
before: run
then: jit why time >= limit
cause: ^time >= limit is True, but False of the exact numbers$
"""

import numpy as np
from numba import njit


@njit
def is_late(time, start, delay):
    limit = start + delay
    return time >= limit  # at: stop


time, start = np.uint64(1721142608025344941), np.uint64(1721142608025339990)
print(is_late(time, start, 5000))

r"""
report: numba/numba#6859
what: The iterations of a parallel loop append numbers to a list; it works for few iterations and dies for many.
cause: all workers of the prange at numbers_in_a_list\.py:\d+ call `found\.append\(\)`
never: (outside axis|is not explained)
"""

import contextlib

from numba import jit, prange


@jit(nopython=True, parallel=True)
def classify(n):
    found = []
    for item in prange(n):
        if item % 2 == 0:
            found.append(2)
        else:
            found.append(1)
    return found


for _ in range(2000):
    with contextlib.suppress(MemoryError, SystemError):  # other effects of the same cause
        classify(100000)

r"""
report: numba/numba#6859
what: The iterations of a parallel loop append numbers to a list; it works for few iterations and dies for many.
then: jit bt
cause: append.*(prange|parallel).*(not safe|not thread-safe|one list)
never: (outside axis|is not explained)
"""

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


for _ in range(200):
    classify(10000)

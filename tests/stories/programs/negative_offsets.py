r"""
report: numba/numba#9638
what: A negative index beyond the array's start writes to other memory.
cause: `offset` = -\d+ is outside axis 0 of `x` \(3 elements\)
"""

import numpy as np
from numba import jit


@jit
def write(offset, value):
    x = np.array([1, 2, 3])
    x[offset] = value
    return x


for power in range(20, 40):
    write(-(1 << power), 0xDEADBEEF)

"""A select that LLVM makes a comparison of a vector register for, where the machine has AVX: vcmpordsd."""

import numpy as np
from numba import njit


@njit(debug=True)
def selected(a, b):
    parts = np.zeros(3)
    parts[0] = a
    b += parts.sum()
    return 2.0 if b <= b else b  # at: select


print(selected(1.0, 3.0), selected(2.0, np.nan), selected(3.0, 1.0))

"""Containers with parts of types that no variable has, and other libraries have by the same name."""

import numpy as np
from numba import njit, types
from numba.typed import Dict, List


@njit(debug=True)
def hold(flags, pairs):
    return len(flags) + len(pairs)  # at: hold


flags = Dict.empty(types.unicode_type, types.boolean)
flags["yes"], flags["no"] = True, False
pairs = List()
pairs.append((np.float32(1.5), np.int16(3)))
print(hold(flags, pairs))

"""Values of many kinds, for GDB's own `print`."""

import numpy as np
from numba import njit, types
from numba.experimental import jitclass
from numba.typed import Dict, List


@jitclass([("x", types.float64), ("count", types.int64)])
class Box:
    def __init__(self, x, count):
        self.x = x
        self.count = count


@njit(debug=True)
def show(a, box, items, table, i, pair):
    half = i / 2
    double = i * 2
    for q in range(3):
        half += a[q]  # at: body
    last = half + box.x + items[0] + table["k"] + double
    return last


items = List([1.5, 2.5])
table = Dict()
table["k"] = 7.0
print(show(np.arange(6.0), Box(2.0, 3), items, table, 7, (1, 2.5)))  # at: call

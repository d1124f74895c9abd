"""Variables whose types have long names."""

import numpy as np
from numba import float64, int64, njit, typed
from numba.experimental import jitclass


@jitclass([("total", int64), ("values", float64[:])])
class Counter:
    def __init__(self, n):
        self.total = n
        self.values = np.zeros(n)


@njit
def use(counter, records, table):
    pair = (counter, counter.total)
    return pair[1] + len(records) + len(table)  # at: stop


table = typed.Dict()
table[1] = 2.5
print(use(Counter(4), np.zeros(3, dtype=[("x", "f8"), ("at", [("row", "i8"), ("place", "f4", (2, 2))])]), table))

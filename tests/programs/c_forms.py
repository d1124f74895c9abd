"""Elements of an array, attributes of an instance and items of a list, to be assigned from GDB."""

import numpy as np
from numba import int64, njit
from numba.experimental import jitclass
from numba.typed import List


@jitclass([("n", int64)])
class Box:
    def __init__(self, n):
        self.n = n


@njit(debug=True)
def use(box, items, m):
    total = m[0, 1] + box.n + items[0]
    return total


print(use(Box(3), List([1, 2]), np.ones((2, 2))))

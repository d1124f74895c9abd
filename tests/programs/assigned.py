"""Variables that a debugger assigns to: what the program then computes is printed."""

import numpy as np
from numba import njit
from numba.typed import List


@njit(debug=True)
def weigh(n, a, t, items, points):
    total = 0.5
    kind = n
    pair = (n, n + 1)
    for i in range(n):
        total += a[i % 3]
    kind = total * 2
    point = points[0]
    print(total + t[0] + pair[0] + kind, a[1], items[0], point.x)  # at: stop
    return n


if __name__ == "__main__":
    points = np.zeros(2, dtype=np.dtype([("x", np.float64), ("y", np.int64)], align=True)).view(np.recarray)
    print(weigh(10, np.arange(5.0), (4, 5.5), List([1.0, 2.0]), points))

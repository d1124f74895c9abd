import numpy as np
from numba import njit


@njit(debug=True)
def work(n, scale, cells):
    base = scale * 1.5
    total = 0.0
    pair = (n, base)
    for i in range(n):
        total += base + cells[i]
    result = total + pair[1]  # at: stop
    return result


print(work(4, 21.0, np.arange(5.0)))

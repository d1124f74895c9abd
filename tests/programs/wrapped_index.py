import numpy as np
from numba import njit


@njit
def growth(a, lag):
    out = np.zeros(a.size)
    for i in range(a.size):
        left = i - lag
        out[i] = a[i] - a[left]
    return out


print(growth(np.arange(6.0), 2))

import numpy as np
from numba import njit, prange


@njit(parallel=True)
def weighted(m, w):
    out = np.zeros(m.shape[0])
    for i in prange(m.shape[0]):
        total = 0.0
        for j in range(m.shape[1]):
            total += m[i, j] * w[i]
        out[i] = total / w.sum()
    return out


print(weighted(np.ones((40, 8)), np.linspace(1.0, 2.0, 8)).round(2))

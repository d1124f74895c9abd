"""A parallel loop, and array expressions behind it that Numba fuses with it."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def fused(rows, scale):
    out = np.zeros(len(rows))
    for i in prange(len(rows)):  # at: header
        out[i] = rows[i] * scale  # at: body
    mean = rows.mean()
    unread = out[0]  # noqa: F841 (nothing reads it: Numba removes it, which is why it fuses what is around it)
    other = np.ones(len(rows))
    return other + out + mean  # at: behind


if __name__ == "__main__":
    print(fused(np.arange(7) * 0.5, 1.5))

"""What generated programs found wrong once: parallel loops that Numba fuses with an array expression."""

import numpy as np
from numba import njit, prange


@njit(debug=True, parallel=True)
def filled(rows, scale):
    out = np.zeros(len(rows))
    for i in prange(len(rows)):
        here = rows[i] * scale
        low = -3.0 if here != scale else 1.0 * i
        out[i] = here + low
    return out.sum()


CALLS = [lambda: filled(np.arange(7) * 0.5, 1.5)]

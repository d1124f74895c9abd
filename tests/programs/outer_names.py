"""Variables of functions around the compiled one, and of the function that starts a parallel loop, which have the names
of variables and functions of the C library."""

import numpy as np
from numba import njit, prange


def make(signgam, y1):
    timezone = signgam + 1

    @njit(debug=True)
    def inner(x):
        z = x + signgam
        t = [daylight * 2 for daylight in range(z)]
        return z + timezone + len(t)  # at: inner

    return inner


@njit(debug=True, parallel=True)
def spread(rows, k):
    stdout = len(rows)
    out = np.ones(len(rows))
    for i in prange(len(rows)):
        out[i] = rows[i] + k  # at: body
    signgam = stdout + 1
    return out[0] + signgam


print(make(2, 3)(4))
print(spread(np.arange(6) * 0.5, 3))

"""Values between points, vectorised and by hand; a value of another type on each way."""

import numpy as np
from numba import njit, vectorize


@vectorize(["float64(float64, float64, float64)"])
def mix(a, b, t):
    c = 1.0 - t
    return a * c + b * t


@njit(debug=True)
def interpolate(xs, ys, at):
    out = np.empty(at.shape)
    for k in range(at.size):
        x = at[k]
        if x <= xs[0]:
            out[k] = ys[0]
        elif x >= xs[-1]:
            out[k] = ys[-1]
        else:
            i = np.searchsorted(xs, x) - 1
            t = (x - xs[i]) / (xs[i + 1] - xs[i])
            out[k] = mix(ys[i], ys[i + 1], t)
    return out.sum()


CALLS = [lambda: interpolate(np.array([0.0, 1.0, 3.0]), np.array([0.0, 10.0, 20.0]), np.array([-1.0, 0.5, 2.0, 4.0]))]

"""Tests of a function that is wrong at both ends, for pytest."""

import numpy as np
from numba import njit


@njit(debug=True)
def smooth(values, width):
    out = np.zeros(values.size)
    for i in range(values.size):
        low = max(i - width, 0)
        window = values[low : i + width]
        out[i] = window.mean()  # at: store
    return out


def test_smooth():
    assert smooth(np.arange(5.0), 1).tolist() == [0.5, 1.0, 2.0, 3.0, 3.5]

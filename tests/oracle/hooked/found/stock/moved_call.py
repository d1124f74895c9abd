"""The call in the loop is made once, ahead of it, on the loop's header; the other line has a call of its own."""

import math

import numpy as np
from numba import njit


@njit(debug=True)
def given(n, value):
    return value


@njit(debug=True)
def rooted(n, items):
    value = 1.75
    count = 0
    left = 0.0
    while count < n % 4:
        count += 1
        left = math.sqrt(abs(given(3 % 7, value)))
    return given(9 % 4, value) + 0 * left


CALLS = [lambda: rooted(2, np.arange(4) - 2), lambda: rooted(-3, np.arange(8)[::2]), lambda: rooted(4, np.arange(4))]

"""Functions that return a value or None: the result has the value alone, and the status says which it is."""

import numpy as np
from numba import njit


@njit(debug=True)
def number(n):
    found = None
    if n > 2:
        found = n * 1.5
    return found


@njit(debug=True)
def array(n):
    found = None
    if n > 2:
        found = np.arange(n) * 1.5
    return found


@njit(debug=True)
def truth(n):
    found = None
    if n > 2:
        found = n > 3
    return found


@njit(debug=True)
def pair(n):  # a name that C++ has, too
    found = None
    if n > 2:
        found = (n, n / 4)
    return found


for function in (number, array, truth, pair):
    print(function(1), function(4))

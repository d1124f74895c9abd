"""A compiled function that calls one of Numba's C functions."""

from numba import njit


@njit(debug=True)
def modulo(v, w):
    return v % w


print(modulo(7.5, 2.0))

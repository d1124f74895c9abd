"""Complex numbers of both widths: polynomials, roots, products in loops."""

import numpy as np
from numba import njit


@njit(debug=True)
def horner(coefficients, z):
    value = coefficients[0] * 0
    for c in coefficients:
        value = value * z + c
    return value, abs(value), value.real, value.conjugate()


@njit(debug=True)
def newton(z, turns):
    for k in range(turns):
        step = (z**3 - 1) / (3 * z * z)
        z -= step
        if abs(step) < 1e-12:
            break
    return z, k


@njit(debug=True)
def product(a):
    total = a[0]
    for i in range(1, a.size):
        total *= a[i]
    return total


CALLS = [
    lambda: horner(np.array([1.0, 2.0, 3.0]), 1 + 2j),
    lambda: horner(np.array([1j, 2.0, 3.0], np.complex64), np.complex64(1 + 2j)),
    lambda: newton(0.3 + 0.9j, 50),
    lambda: newton(0j, 5),
    lambda: product(np.exp(1j * np.arange(1000.0))),
    lambda: product(np.exp(1j * np.arange(1000.0)).astype(np.complex64)),
]

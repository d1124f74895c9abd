"""Stencils: with neighbours, a constant outside, another array's elements, in parallel."""

import numpy as np
from numba import njit, stencil


@stencil(cval=-1.0)
def cross(a):
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])


@stencil(neighborhood=((-2, 0),))
def trail(a, w):
    total = 0.0
    for i in range(-2, 1):
        total += a[i] * w[i + 2]
    return total


@njit(debug=True)
def relax(a, turns):
    for k in range(turns):
        a = cross(a)
    return a, k


@njit(debug=True, parallel=True)
def relax_parallel(a, turns):
    for k in range(turns):
        a = cross(a)
    return a.sum(), a


@njit(debug=True)
def trailing(a):
    w = np.linspace(0.5, 1.0, a.size)
    return trail(a, w)


CALLS = [
    lambda: relax(np.arange(30.0).reshape(5, 6), 2),
    lambda: relax_parallel(np.arange(30.0).reshape(5, 6), 2),
    lambda: trailing(np.arange(8.0)),
    lambda: cross(np.ones((3, 3))),
]

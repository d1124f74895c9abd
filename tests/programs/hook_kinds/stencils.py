"""Stencils: called, and made a parallel loop."""

import numpy as np
from numba import njit

from tests.programs.hook_kinds.standins import stencil


@stencil
def smooth(a):
    left = a[-1]
    right = a[1]
    middle = (left + right) * 0.5
    return middle


@stencil
def chosen(a):
    k = -1
    there = a[k] + a[1]
    if a[0] > 1.0:
        big = a[0] * 2
        there = there + big
    for i in range(2):
        there += i
    return there


@stencil
def sharp(b):
    low = b[-1]
    return b[0] * 2 - low * b[1]


@njit(debug=True)
def smoothed(values):
    out = smooth(values)
    out = chosen(out)
    total = out.sum()
    return total


@njit(debug=True, parallel=True)
def sharpened(values):
    scaled = values * 2.0
    out = sharp(scaled)
    total = out.sum()
    return total


CALLS = [lambda: smoothed(np.arange(5.0)), lambda: sharpened(np.arange(6.0))]

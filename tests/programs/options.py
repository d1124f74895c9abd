"""Functions with the options of @njit that change what they compute."""

import numpy as np
from numba import njit, prange

import jitscope


@njit(parallel=True, fastmath=True, boundscheck=True, error_model="numpy")
def every(a):
    total = 0.0
    for i in prange(a.shape[0]):
        total += a[i]
    return total


@njit(error_model="numpy")
def model(a):
    return a / 2


@njit(fastmath={"nnan"})
def no_nans(a):
    return a * 2.0


@njit(nogil=True)
def plain(a):
    return a + 1


every(np.ones(3))
model(2.0)
no_nans(1.0)
plain(1)
jitscope.breakpoint()

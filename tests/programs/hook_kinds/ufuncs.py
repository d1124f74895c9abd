"""Functions of elements and of rows, called by NumPy's loops: on one core and on several."""

import numpy as np

from tests.programs.hook_kinds.standins import guvectorize, vectorize


@vectorize(["float64(float64, float64)"])
def blend(x, y):
    z = x * 0.25
    if y > 1.0:
        z = z + y
    return z


@vectorize(["float64(float64)"], target="parallel")
def half(x):
    y = x * 0.5
    return y


@guvectorize(["(float64[:], float64[:])"], "(n)->(n)")
def running(x, out):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
        out[i] = s


@guvectorize(["(float64[:], float64[:])"], "(n)->(n)", target="parallel")
def backwards(x, out):
    last = x.shape[0] - 1
    for i in range(x.shape[0]):
        out[i] = x[last - i]


CALLS = [
    lambda: blend(np.arange(3.0), np.arange(3.0)).sum(),
    lambda: half(np.full(1, 3.0)).sum(),
    lambda: running(np.arange(6.0).reshape(2, 3), np.zeros((2, 3))).sum(),
    lambda: backwards(np.arange(3.0).reshape(1, 3), np.zeros((1, 3))).sum(),
]

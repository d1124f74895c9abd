"""Functions that were compiled with other globals and enclosing variables than there are now. Each line that begins
with EXPECT has a result."""

import numpy as np
from numba import njit, prange

RATE = 500.0
TABLE = np.array([1.0, 2.0])
PLACED = np.array([3.0])
SAME = 7


@njit
def twice(x):
    return x * 2.0


@njit
def cost(x):
    y = twice(x) * RATE / 2.0 + TABLE[1] + PLACED[0] + SAME
    return y  # at: cost


@njit(parallel=True)
def costs(x):
    for i in prange(len(x)):
        x[i] = RATE + i  # at: body
    return x


def make():
    a = np.array([10.0])
    k = 3

    @njit
    def inner(x):
        y = x * a[0] + k
        return y  # at: inner

    yield inner
    a[0] = 20.0
    k = 4
    yield inner


makers = make()
cost(2.0), costs(np.zeros(4)), next(makers)(1.0)
RATE = 1000.0
TABLE = np.array([5.0, 6.0])
PLACED[0] = 30.0
print("EXPECT", cost(2.0), next(makers)(1.0), costs(np.zeros(4))[1])

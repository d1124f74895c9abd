"""What a newcomer stumbles over: functions with debug information and without, a parallel loop, an exception."""

import numpy as np
from numba import float64, int64, njit, prange
from numba.experimental import jitclass


class Refused(Exception):
    pass


@jitclass([("count", int64), ("total", float64)])
class Account:
    def __init__(self):
        self.count = 0
        self.total = 0.0

    def add(self, v):
        self.count += 1
        self.total += v  # at: method
        return self.count


@njit
def bare(n):
    total = 0
    for k in range(n):
        total += k * k  # at: bare
    return total


def outer():
    @njit
    def closure(n):
        return n * 3  # at: closure

    return closure


@njit(debug=True)
def checked(n):
    if n < 0:
        raise Refused(n)
    return n + 1  # at: checked


@njit(debug=True, parallel=True)
def spread(a, out):
    scale = 2.0  # at: constant
    for i in prange(a.shape[0]):  # at: header
        x = a[i] * scale
        out[i] = x + 1  # at: body
    return out[0]  # at: behind


account = Account()  # at: module
print(outer()(3))
print(account.add(1.5), bare(4), checked(3))
print(spread(np.arange(12.0), np.zeros(12)))
print("end", account.add(2.5), bare(5), checked(4))

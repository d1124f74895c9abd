"""A jitclass with methods, a property, a static method, and an array; two of a kind."""

import numpy as np
from numba import float64, int64, njit
from numba.experimental import jitclass


@jitclass([("w", float64), ("h", float64), ("log", int64[:]), ("n", int64)])
class Box:
    def __init__(self, w, h):
        self.w = w
        self.h = h
        self.log = np.zeros(8, np.int64)
        self.n = 0

    @property
    def area(self):
        return self.w * self.h

    def grow(self, by):
        old = self.area
        self.w += by
        self.log[self.n % 8] = int(old)
        self.n += 1
        return self.area - old

    @staticmethod
    def unit():
        return 1.5


@njit(debug=True)
def growing(n):
    box = Box(1.0, 2.0)
    other = box
    gained = 0.0
    for i in range(n):
        gained += box.grow(i * box.unit())
        if i == 3:
            box = Box(gained, 1.0)
    return other.area, box.area, gained, other.log, box.n


@njit(debug=True)
def failing(n):
    box = Box(1.0, 2.0)
    for i in range(n):
        if box.grow(1.0) > 1.0 and i > 2:
            raise ValueError("grown", i, box.area)
    return box.n


CALLS = [lambda: growing(6), lambda: growing(0), lambda: failing(2), lambda: failing(9)]

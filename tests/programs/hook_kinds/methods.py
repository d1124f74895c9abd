"""Methods of a jitclass: from the interpreter and from compiled code."""

import numba
from numba import njit
from numba.experimental import jitclass


@jitclass([("total", numba.int64), ("scale", numba.float64)])
class Counter:
    def __init__(self, start, scale):
        doubled = start * 2
        self.total = doubled - start
        self.scale = scale

    def add(self, k):
        now = self.total + k
        if now > 100:
            now = 100
        self.total = now
        return now

    @property
    def scaled(self):
        product = self.total * self.scale
        return product

    @scaled.setter
    def scaled(self, value):
        whole = int(value)
        self.total = whole

    @staticmethod
    def half(n):
        rest = n % 2
        return n // 2 + rest


@njit(debug=True)
def count_up(n):
    counter = Counter(n, 0.5)
    for i in range(3):
        last = counter.add(i)
    counter.scaled = 12.5
    middle = counter.scaled
    return middle + last + counter.half(n)


def python_calls():
    counter = Counter(4, 2.0)
    counter.add(99)
    counter.scaled = 7.0
    return counter.scaled + counter.add(1)


CALLS = [lambda: count_up(3), python_calls, lambda: count_up(99)]

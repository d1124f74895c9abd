import functools

from numba import int64, njit
from numba.experimental import jitclass


@njit(debug=True)
def foo(a):
    b = a + 1  # at: foo
    return b


@njit(debug=True)
def calls(a):
    return foo(a) * 2


def outer(k):
    @njit(debug=True)
    def inner(v):
        w = v + k  # at: inner
        return w

    return inner


@jitclass([("total", int64)])
class Counter:
    def __init__(self, start):
        self.total = start

    def add(self, k):
        now = self.total + k  # at: add
        self.total = now
        return now


@njit(debug=True)
def counting(n):
    i = 0  # at: counting
    while i < n:
        yield i * 2
        i += 1


@njit(debug=True)
def consumes(n):
    total = 0
    for each in counting(n):
        total += each
    return total


def decorated(function):
    @functools.wraps(function)
    def around(*arguments):
        return function(*arguments)

    return around


@decorated
@njit(debug=True)
def wrapped(x):
    y = x * 2  # at: wrapped
    return y

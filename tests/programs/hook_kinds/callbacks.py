"""C callbacks, optional arguments, keywords, star arguments, default values, first-class functions."""

from numba import float64, njit

from tests.programs.hook_kinds.standins import cfunc


@cfunc("float64(float64, int64)", debug=True)
def callback(x, n):
    y = x + 1.0
    for _ in range(n):
        y *= 2.0
    return y


@njit(debug=True)
def defaults(a, b=3, c=0.5):
    total = a + b
    return total + c


@njit(debug=True)
def starred(a, *rest):
    total = a
    for item in rest:
        total += item
    return total


@njit(float64(float64), debug=True)
def twice(x):
    y = x + x
    return y


@njit(float64(float64), debug=True)
def thrice(x):
    y = x * 3.0
    return y


@njit(debug=True)
def each(n):
    total = 0.0
    for function in (twice, thrice):
        total += function(n)
    return total


@njit(debug=True)
def maybe(n, other=None):
    if other is None:
        found = n
    else:
        found = n + other
    return found


CALLS = [
    lambda: callback.ctypes(2.5, 2),
    lambda: defaults(1),
    lambda: starred(1, 2, 3),
    lambda: defaults(1, c=2.5),
    lambda: each(2.0),
    lambda: maybe(3),
    lambda: maybe(3, 4),
]

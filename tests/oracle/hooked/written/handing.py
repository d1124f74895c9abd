"""Generators that functions hand on: returned, from a tuple, and read elsewhere."""

from numba import njit


@njit(debug=True)
def counting(n):
    for i in range(n):
        half = i * 0.5
        yield half


@njit(debug=True)
def handed(n):
    made = counting(n)
    return made


@njit(debug=True)
def both(n):
    return counting(n), n + 1


@njit(debug=True)
def total(n):
    s = 0.0
    for x in handed(n):
        s += x
    left, more = both(n)
    for x in left:
        s += x * more
    return s


CALLS = [lambda: total(3), lambda: total(0)]

"""Functions that LLVM inlines into what calls them: the call is the last thing that is done there, or is not."""

import numpy as np
from numba import njit


@njit(debug=True)
def factorial(n):
    if n <= 1:
        return 1  # at: one
    return n * factorial(n - 1)


@njit(debug=True)
def last(n):
    return factorial(n)  # at: last


@njit(debug=True)
def turns(n):
    total = 0
    for i in range(n):
        total += factorial(i)  # at: turn
    return total


@njit(debug=True)
def refuses(n):
    if n > 2:
        raise ValueError("too big")  # at: raise
    return n


@njit(debug=True)
def passes(n):
    return refuses(n)  # at: passes


@njit(debug=True)
def item(a, i):
    return a[i]


@njit(debug=True)
def lowered(a):
    total = 0.0
    for i in range(a.size):  # at: loop
        if item(a, i) > 3:  # at: if
            total -= 1
    return total


print(last(3), turns(3))
print(lowered(np.arange(6.0)))
try:
    passes(3)
except ValueError as error:
    print(error)

"""Functions that LLVM inlines into what calls them: the call is the last thing that is done there, or is not."""

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


print(last(3), turns(3))
try:
    passes(3)
except ValueError as error:
    print(error)

"""Recursion: of one function, of two, with types declared and found."""

from numba import int64, njit


@njit(debug=True)
def factorial(n):
    if n < 2:
        return 1
    rest = factorial(n - 1)
    return n * rest


@njit(int64(int64), debug=True)
def fibonacci(n):
    if n < 2:
        return n
    left = fibonacci(n - 1)
    right = fibonacci(n - 2)
    return left + right


@njit(debug=True)
def is_even(n):
    if n == 0:
        return True
    less = n - 1
    return is_odd(less)


@njit(debug=True)
def is_odd(n):
    if n == 0:
        return False
    lower = n - 1
    return is_even(lower)


CALLS = [lambda: factorial(4), lambda: fibonacci(4), lambda: is_even(3)]

"""A compiled function that is called `main`."""

from numba import njit


@njit(debug=True)
def inner(n):
    t = n + 1
    return t * 2  # at: inner


@njit(debug=True)
def main(n):
    a = inner(n)
    b = a + 1
    return b  # at: last


def called():
    return main(3)  # at: call


print(called())

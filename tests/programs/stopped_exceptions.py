"""Compiled functions that raise, and one that returns."""

from numba import njit


@njit
def divides(a, b):
    return a // b  # at: first


@njit
def refuses(n):
    if n > 2:
        raise ValueError("bad")  # at: second
    return n


@njit
def halved(n):
    result = n / 2
    return result  # at: result


def main():
    half = halved(25)  # at: call
    for function, arguments in ((divides, (1, 0)), (refuses, (3,))):
        try:
            function(*arguments)
        except (ZeroDivisionError, ValueError) as error:
            print(half, error)


main()

"""Interpreted Python that calls compiled code twice."""

from numba import njit


@njit
def doubled(x):
    y = x * 2  # at: double
    return y + 1


def main():
    first = doubled(3)  # at: first
    second = doubled(first + 1)  # at: second
    return first + second  # at: end


print(main())

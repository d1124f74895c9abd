"""A function that is inlined, with a variable of the same name as one of its caller's."""

from numba import njit


@njit(debug=True)
def inc(s, acc):
    acc = acc + 3  # at: inside
    return acc + s


@njit(debug=True)
def outer(n):
    acc = 0
    for i in range(n):
        acc = inc(1 + i, acc * 2)  # at: call
    return acc


print(outer(9))

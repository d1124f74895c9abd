"""A function that takes names from its module which C libraries have, too."""

from numba import njit

limit = 40
errno = 7
environ = (3, 4.5)
plain = 12


@njit(debug=True)
def work(n):
    s = 0.0
    for i in range(n):
        s += limit + errno * environ[1] + plain + i  # at: body
    return s


print(work(6))

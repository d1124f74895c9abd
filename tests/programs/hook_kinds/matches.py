"""`match` (Python 3.10), as far as Numba takes it."""

from numba import njit


@njit(debug=True)
def matched(n):
    match n:
        case 1:
            name = 10
        case 2 | 3:
            name = 20
        case other if other > 5:
            name = other * 2
        case _:
            name = 0
    return name


CALLS = [lambda: matched(1), lambda: matched(3), lambda: matched(8), lambda: matched(4)]

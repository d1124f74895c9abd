"""What was found wrong once: a lambda that is called on the line that makes it did not stop."""

from numba import njit


@njit(debug=True)
def called(n):
    scale = n * 2
    total = 0
    for i in range(n):
        total += (lambda: i + scale)()
    return total


CALLS = [lambda: called(3)]

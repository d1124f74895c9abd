"""Functions made in a function: with what they close over, and a factory outside."""

from numba import njit


def adder(n):
    @njit(debug=True)
    def add(x):
        y = x + n
        return y

    return add


three = adder(3)
four = adder(4)


@njit(debug=True)
def closing(n):
    scale = n * 2

    def by(x):
        z = x * scale
        return z + 1

    total = 0
    for i in range(n):
        total += by(i)
        total += three(i) - four(i)
    last = (lambda q: q - scale)(total)
    return last


CALLS = [lambda: closing(3)]

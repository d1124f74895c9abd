"""Scenario A2: one name, several types and assignments."""

from numba import njit


@njit(debug=True)
def grow(n):
    x = 1
    x = x + 1.5  # at: int
    total = 0  # at: float
    for i in range(n):
        if i > 1:
            total += i
        last = i * 2
    y = total + x  # at: sum
    x = (n, y)
    print(x[0], x[1], last)  # at: tuple
    return y


grow(5)

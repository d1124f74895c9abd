"""A line that a breakpoint is hit at often, in each of many calls."""

from numba import njit


@njit(debug=True)
def hits(n):
    total = 0
    for i in range(n):
        total += i % 3  # at: line
    return total  # at: end


for _ in range(1000):
    hits(1000)

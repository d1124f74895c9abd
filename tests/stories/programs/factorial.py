r"""
report: numba/numba#4700
what: A factorial above 20 is wrong, and sometimes negative.
before: break {stop} if result < 0
before: run
then: info locals
then: jit functions -types factorial
cause: result = -\d+
"""

from numba import njit


@njit
def factorial(n):
    result = 1
    for i in range(1, n + 1):
        result *= i
    return result  # at: stop


print(factorial(21))

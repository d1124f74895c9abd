r"""
report: numba/numba#8511
what: A ZeroDivisionError names neither the function nor the line that divides.
before: jit catch ZeroDivisionError
before: run
then: jit bt
cause: ratio \(a=10, b=0\) at .*zero_division_nowhere\.py:15
"""

from numba import njit


@njit
def ratio(a, b):
    return a / b


@njit
def caller(n):
    total = 0.0
    for i in range(n):
        total += ratio(n, i - 3)
    return total


caller(10)

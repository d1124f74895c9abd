r"""
report: numba/numba#9937
what: A sum of products is 18769655208421052630 in Python, and another number when compiled.
before: break {stop} if i == 27
before: run
then: jit print result * factor + base
then: jit functions -types amplitude
cause: ^18769655208421052630$
"""

from numba import njit


@njit
def amplitude():
    base = 5
    result = 0
    for i in range(28):
        factor = base + (i % 2)
        if i > 10:
            factor -= 1
        result = result * factor + base  # at: stop
    return result


print(amplitude())

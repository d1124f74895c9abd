r"""
report: numba/numba#10014
what: A function calls itself without end; Python would raise RecursionError, and compiled code overflows the stack.
then: jit bt 3
cause: the stack overflowed: endless calls itself
never: outside axis
"""

from numba import jit


@jit
def endless():
    endless()


endless()

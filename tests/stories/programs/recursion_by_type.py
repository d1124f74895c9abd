r"""
report: numba/numba#6067
what: A call with a float takes the branch that calls it again, because the two types of the argument become one.
then: jit bt 3
cause: the stack overflowed: choose calls itself
never: outside axis
"""

from numba import njit


@njit
def choose(flag=False):
    if flag:
        return choose(7.0)
    return 8.0


print(choose(True))

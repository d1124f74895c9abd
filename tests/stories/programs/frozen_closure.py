r"""
report: numba/numba#938
what: A function that is compiled in a loop's first iteration goes on with the loop's first index.
before: break {body} if a == 1
before: run
then: jit print n
then: jit why n
cause: it is a variable of the function around this one, which Numba makes a constant .*: compiled code has 0$
never: it was assigned before
"""

from numba import jit


def run():
    @jit
    def f(a):
        return n * a  # at: body

    for n in range(5):
        print(f(n))


run()

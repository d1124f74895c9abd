"""Code that stops for its debugger: compiled, in a parallel loop, in object mode, and interpreted."""

import numba
from numba import jit, njit, prange

import jitscope


@njit(debug=True)
def compiled(a):
    b = a + 1
    jitscope.breakpoint()  # at: compiled
    for i in range(1000):
        jitscope.breakpoint_if(i == 613)  # at: if
        b += i
    numba.gdb_breakpoint()  # at: numba
    return b


@njit(debug=True, parallel=True)
def parallel(n):
    total = 0
    for i in prange(n):
        if i == 5:
            jitscope.breakpoint()  # at: parallel
        total += i
    return total


@jit(forceobj=True, debug=True)
def objects(a):
    b = [a, None]
    jitscope.breakpoint()  # at: objects
    return b


def interpreted(a):
    b = a + 1
    jitscope.attach()  # at: interpreted
    return b


def main():
    print(compiled(5), parallel(8), objects(6), interpreted(7))


main()

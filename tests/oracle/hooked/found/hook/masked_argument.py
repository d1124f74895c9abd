# ruff: noqa: F841 (what is assigned need not be read)
"""An inlined function uses only some bits of its argument: LLVM changes the mask that makes the argument."""

from numba import njit


@njit(debug=True)
def small1(n0, n1):
    index = n0 + (-4)
    index = "xyz"
    return (n0) // -2


@njit(debug=True)
def work0(arg, brg, crg):
    zero = (-5 + (-1), arg - (arg), (arg if arg < -2 else arg))
    unused1 = -7
    best = small1((arg) % 4, 4.5)
    return (arg) // -2 + best


CALLS = [
    lambda: work0(3, (0, 2.0), (0, -1.25)),
    lambda: work0(0, (3, -1.75), (2, -0.75)),
]

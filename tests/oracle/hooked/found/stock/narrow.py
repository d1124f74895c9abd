"""What generated programs found wrong once: of a number LLVM computes no more bits than are asked for, and calls what
is left the variable."""

# ruff: noqa: F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit


@njit(debug=True)
def parity(arg, brg):
    arg -= 6
    brg[0] = arg % 2
    unused = (arg, brg[0])
    return 5


@njit(debug=True)
def bytes_of(arg, brg):
    low = arg - 262
    brg[0] = low & 255
    high = arg | 6
    brg[1] = high >> 3
    both = low * 2 + 4096
    brg[2] = both & 1023
    return 5


@njit(debug=True)
def whole(arg, brg):
    less = arg - 6
    brg[less % 3] = 1
    more = less * 3 + arg
    brg[0] = more / 2
    return less


CALLS = [
    lambda: parity(0, np.arange(3)),
    lambda: parity(-1, np.arange(3)),
    lambda: bytes_of(300, np.arange(3)),
    lambda: bytes_of(-8, np.arange(3)),
    lambda: whole(9, np.arange(3.0)),
    lambda: whole(-4, np.arange(3.0)),
]

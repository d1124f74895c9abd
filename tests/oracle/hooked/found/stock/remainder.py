"""What generated programs found wrong once: a register in which LLVM has computed something else from the variable, and
goes on to call the variable (NUMBA_OPT=1)."""

# ruff: noqa: F841 (what is assigned need not be read to be shown)

import math

import numpy as np
from numba import njit


@njit(debug=True)
def root(n):
    unused = np.zeros((2, 3))
    return math.sqrt(abs(2.0))


@njit(debug=True)
def half(arg, brg, crg, drg):
    brg[1] += root((arg) % 7)
    out = np.zeros(len(brg))
    for i in range(len(brg)):
        e = brg[i] * 0.5
        out[i] = e - 0.25
    p, q = len(out), 2.5
    acc = p < arg or q < q
    return (p) % 7 + arg


CALLS = [
    lambda: half(1, np.linspace(0.0, 4.0, 9), (-1, 1.0), 1),
    lambda: half(5, np.arange(5) * 0.75, (1, -0.5), 3),
]

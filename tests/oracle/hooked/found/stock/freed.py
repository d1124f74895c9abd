"""What generated programs found wrong once: an array that was given up, whose memory is another's by then."""

# ruff: noqa: F841 (what is assigned need not be read to be shown)

import numpy as np
from numba import njit


@njit(debug=True)
def freed(arg, brg, crg, drg):
    out = np.zeros(len(crg))
    for i in range(len(crg)):
        e = crg[i] * 0.5
        out[i] = e - 0.25
    w = (arg, (4.25 if arg % 2 == 0 else -1.0))
    brg[0] = crg[0]
    other = np.zeros((2, 4))
    w = brg[arg % len(brg)]
    return (arg) * (arg) % 97


CALLS = [lambda: freed(3, np.arange(4.0), np.arange(9) * 0.5, np.ones((2, 3)))]

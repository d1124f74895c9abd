"""Found at seed 71001: the array that Numba makes of a list has the name of a variable whose assignments it removes."""

import numpy as np
from numba import njit


@njit(debug=True)
def work1(arg, brg, crg, drg):
    for _ in enumerate(drg):
        _parts = np.array([q * 2 for q in range(4)])
    _v = len(crg)
    for _ in range(3):
        array = brg
        array = brg == 0 or array != 1
    return 2 + brg


CALLS = [lambda: work1(2, 3, "日本語", np.linspace(0.0, 4.0, 9))]

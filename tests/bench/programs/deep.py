"""1 000 Python frames, and on top of them a compiled function that runs on (interpreted where there is no Numba)."""

import sys

sys.setrecursionlimit(5000)
FRAMES = 1000


def spin(flag):
    while flag[0] == 0:
        flag[1] += 1


def f(left, flag):
    if left > 1:
        return f(left - 1, flag)
    print("ready", flush=True)
    return spin(flag)


try:
    import numpy as np
    from numba import njit
except ImportError:
    flags = [0, 0]
else:
    spin = njit(debug=True)(spin)
    spin(np.ones(2, dtype=np.int64))
    flags = np.zeros(2, dtype=np.int64)
f(FRAMES, flags)

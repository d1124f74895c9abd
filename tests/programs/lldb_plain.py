"""Functions without options of jitscope or `debug=True`, which run once, or have run and run again and again."""

import sys
import time

import numpy as np
from numba import njit, prange


@njit
def scaled(x, n):
    first = x[n] * 2
    second = first + n  # at: second
    third = second - 0.5  # at: third
    return third


@njit(parallel=True)
def shared(out):
    for i in prange(out.size):
        half = i * 0.5
        out[i] = half + 1.0  # at: body
    return out.sum()


def run():
    return scaled(np.arange(6.0), 4), shared(np.zeros(4))


values = run()
if "once" in sys.argv:
    print(*values)
else:
    print("ready", flush=True)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        run()
        time.sleep(0.05)

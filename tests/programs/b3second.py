import ctypes
import signal
import time

import numpy as np
from numba import njit

from jitscope import attach_on, breakpoint_if

send = getattr(ctypes.CDLL(None), "raise")
send.argtypes = (ctypes.c_int,)


@njit(debug=True)
def busy(steps):
    for step in range(steps):
        if step == 7:
            send(12)  # at: signal
    return steps


@njit(debug=True)
def walk(values):
    steps = 0
    for k in range(values.size):
        steps += 2
        breakpoint_if(values[k] < 0)  # at: if
    return steps


def main():
    values = np.ones(12000)
    started = time.perf_counter()
    walk(values)
    print(f"12000 turns without a stop took {time.perf_counter() - started:.3f} s", flush=True)
    values[40] = -1
    print(f"result {walk(values)}", flush=True)  # at: hot


busy.compile("(int64,)")
walk.compile("(float64[::1],)")
attach_on(signal.SIGUSR2)
print("call", flush=True)
busy(9)  # at: call
main()

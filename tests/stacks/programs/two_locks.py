"""Two threads that wait for each other, a compiled loop that does not end, and a child process."""

import subprocess
import sys
import threading

import numpy as np
from numba import njit

first, second = threading.Lock(), threading.Lock()
barrier = threading.Barrier(3)


def takes_first_then_second():
    with first:
        barrier.wait()
        with second:  # at: second
            pass


def takes_second_then_first():
    with second:
        barrier.wait()
        with first:  # at: first
            pass


@njit
def total(values, n):
    s = 0.0
    while n > 0:  # never ends: the interpreter calls it with n > 0
        for i in range(values.shape[0]):
            s += values[i]
        if s > 1e300:
            s = 0.0
    return s


def computes(values, escape="\x1b[31m\n", large=(-(2**64), 2**63, 5)):
    total(values, 5)


if __name__ == "__main__":
    for function in (takes_first_then_second, takes_second_then_first):
        threading.Thread(target=function, name=f"\x1b {function.__name__}", daemon=True).start()
    barrier.wait()
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    total(np.ones(1), 0)  # compiles it
    print("ready", child.pid, flush=True)
    computes(np.ones(10))

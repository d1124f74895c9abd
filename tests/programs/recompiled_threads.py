"""Four threads that call the same functions again and again; `main` waits, so that no thread but these compiles."""

import threading
import time

import numpy as np
from numba import njit

PAIR = np.dtype([("a", np.int64), ("b", np.float64)])


@njit
def first(x, k):
    twice = x * 2.0
    if k < 0:
        twice += 1.0  # at: negative

    once = twice * 0.5  # at: once
    return once  # at: return


@njit
def paired(x):
    made = np.zeros(2, PAIR)
    made[1]["b"] = x
    return made[1]["b"] + 1.0  # at: paired


def turn(k):
    while True:
        first(1.5, k)
        paired(0.25)
        time.sleep(0.002)


first(1.5, 0)
paired(0.25)
threads = [threading.Thread(target=turn, args=(k,), daemon=True) for k in range(4)]
for thread in threads:
    thread.start()
print("ready", flush=True)
time.sleep(600)

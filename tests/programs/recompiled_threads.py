"""Four threads that call the same functions again and again, and others that are in a long call."""

import ctypes
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


@njit(inline="always")
def limited(v, most):
    low = v - 1.0
    if low > most:
        low = most  # at: inlined
    return low


@njit
def bounded(x):
    got = limited(x * 2.0, 1.5)
    return got + 0.5


usleep = ctypes.CDLL(None).usleep
usleep.argtypes, usleep.restype = [ctypes.c_uint], ctypes.c_int


@njit(nogil=True)
def wait(n):
    slept = 0
    for _ in range(n):
        slept += usleep(1000)  # at: sleep
    return slept


def rest():
    wait(1_000_000)  # at: rest


def turn(k):
    while True:
        first(1.5, k)
        paired(0.25)
        bounded(1.5)
        time.sleep(0.002)


first(1.5, 0)
paired(0.25)
bounded(1.5)
wait(1)
threads = [threading.Thread(target=turn, args=(k,), daemon=True) for k in range(4)]
threads += [threading.Thread(target=rest, daemon=True) for _ in range(4)]
for thread in threads:
    thread.start()
print("ready", flush=True)
time.sleep(600)

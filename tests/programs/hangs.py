"""Scenario E3: a compiled loop that does not end, three Python frames deep, and a thread that waits for a lock which
another one holds. It ends by itself after two minutes."""

import signal
import threading
import time

import numpy as np
from numba import njit

lock, is_taken = threading.Lock(), threading.Event()


@njit(debug=True)
def spin(a, limit):
    s = 0.0
    while s < limit:
        for i in range(a.size):
            s += a[i] * 0.0  # at: loop
    return s


def keeps():
    with lock:  # at: taken
        is_taken.set()
        time.sleep(1000)  # at: sleeps


def wants():
    with lock:  # at: wanted
        pass


def computes(a):
    return spin(a, 1e9)  # at: call


def main():
    signal.alarm(120)
    a = np.arange(100.0)
    spin(a, -1.0)
    for function in (keeps, wants):
        threading.Thread(target=function, daemon=True).start()
        is_taken.wait()
    print("ready", flush=True)
    computes(a)  # at: computes


main()  # at: main

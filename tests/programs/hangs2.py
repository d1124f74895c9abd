"""The second program of scenario E3: an RLock, and other names. It ends by itself after two minutes."""

import signal
import threading
import time

import numpy as np
from numba import njit

table, ready = threading.RLock(), threading.Semaphore(0)


@njit(debug=True)
def search(values, wanted):
    found = 0
    while found == 0:
        for n in range(values.size):
            found += values[n] == wanted  # at: loop
    return found


def writes():
    with table:  # at: taken
        ready.release()
        time.sleep(1000)  # at: sleeps


def reads():
    ready.release()
    with table:  # at: wanted
        pass


def looks(values):
    return search(values, -1)  # at: call


def start():
    signal.alarm(120)
    values = np.arange(50)
    search(values, 3)
    for function in (writes, reads):
        threading.Thread(target=function, daemon=True).start()
        ready.acquire()
    time.sleep(0.5)
    print("ready", flush=True)
    looks(values)  # at: computes


start()  # at: main

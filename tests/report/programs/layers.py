"""Programs that Numba's threading layers end. Usage: layers.py forked|at_once FOLDER"""

import os
import signal
import sys
import threading

import numba
import numpy as np

import jitscope


@numba.njit(parallel=True, nogil=True)
def total(values):
    found = 0.0
    for i in numba.prange(values.size):
        found += values[i]
    return found


def forked():
    total(np.ones(10))
    if os.fork() == 0:
        total(np.ones(10))
        os._exit(0)
    signal.signal(os.WTERMSIG(os.wait()[1]), signal.SIG_DFL)


def at_once():
    values = np.ones(10**7)
    total(values)
    for _ in range(3):
        threading.Thread(target=lambda: [total(values) for _ in range(1000)]).start()


jitscope.enable_crash_report(sys.argv[2], seconds=60)
globals()[sys.argv[1]]()

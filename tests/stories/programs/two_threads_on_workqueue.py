r"""
report: numba/numba#9288
what: Two Python threads start parallel code at once on the workqueue layer, which ends the program.
cause: because (threads \d+ and \d+ start parallel loops at once|scale .* starts a parallel loop while)
"""

import threading

import numba
import numpy as np
from numba import njit, prange

numba.config.THREADING_LAYER = "workqueue"


@njit(parallel=True, nogil=True)
def scale(x):
    for i in prange(len(x)):
        x[i] = x[i] * 0.5 + np.sqrt(x[i])


def work():
    array = np.ones(1 << 20)
    for _ in range(1000):
        scale(array)


scale(np.ones(10))
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()

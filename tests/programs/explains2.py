"""Scenario E4, on a second program."""

import threading
import time

import numpy as np
from numba import njit


@njit(debug=True)
def write(cells, place):
    cells[place] *= 2  # at: store
    return cells[-1]


def waits():
    time.sleep(1000)


def start(cells):
    threading.Thread(target=waits, daemon=True).start()
    time.sleep(0.1)
    for place in (2, 1000000000):
        write(cells, place)  # at: call


start(np.arange(24))  # at: main

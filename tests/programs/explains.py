"""Scenario E4: a compiled function stores outside of an array, while another thread sleeps."""

import threading
import time

import numpy as np
from numba import njit


@njit(debug=True)
def store(values, index):
    values[index] += 1.0  # at: store
    return values[0]


def waits():
    time.sleep(1000)


def main():
    threading.Thread(target=waits, daemon=True).start()
    store(np.zeros(10), 3)
    store(np.zeros(10), 1000000000)  # at: call


main()  # at: main

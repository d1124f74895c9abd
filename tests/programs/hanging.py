"""A worker whose second task never ends."""

import numpy as np
from numba import njit


@njit(debug=True)
def position(values, wanted):
    low, high = 0, values.size
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle
        else:
            high = middle
    return low


def work(task):
    return position(np.arange(10.0), task)


work(0.0)
print("ready", flush=True)
work(7.5)

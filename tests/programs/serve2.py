"""Scenario E1 on other names, types and lines."""

import time

import numpy as np
from numba import njit


@njit(debug=True)
def blend(left, right, weight):
    n = min(left.shape[0], right.shape[0])
    whole = 0
    for j in range(n):
        whole += left[j] * right[j]  # at: body
    pair = (n, whole)  # at: tuple
    return pair[1] * weight  # at: return


def loop(seconds):
    left, right = np.arange(50), np.arange(60)
    end = time.monotonic() + seconds
    blend(left, right, 0.5)
    print("ready", flush=True)
    while time.monotonic() < end:
        blend(left, right, 0.5)  # at: call


if __name__ == "__main__":
    loop(120)  # at: main

"""Loops of plain arithmetic at `steps`: one that goes on until somebody attaches, one that faults, one that calls.

argv or PLAIN_LOOPS: "walk" (prints "ready" first), "fault", or "call"."""

import os
import sys

import numpy as np
from numba import njit


@njit(debug=True)
def walk(turns):
    x = 1
    k = 0
    while k < turns:
        if x & 1:
            x = (x * 5 + 3) % 1000003
        else:
            x = x + 7 - (x >> 1)
        k += 1  # at: in the loop
    return x


def walked(turns):
    """As Python has it. The values come back after some steps."""
    seen, order, x = {}, [], 1
    while x not in seen:
        seen[x] = len(order)
        order.append(x)
        x = (x * 5 + 3) % 1000003 if x & 1 else x + 7 - (x >> 1)
    first = seen[x]
    return order[turns] if turns < first else order[first + (turns - first) % (len(order) - first)]


@njit(debug=True, boundscheck=False)
def fault(a, stride):
    total = 0.0
    far = stride * 1000
    for i in range(10):
        place = i * far
        total += a[place]  # at: faults
    return total


@njit(debug=True)
def clip(x, low, high):
    inside = min(x, high)
    return max(inside, low)  # at: in a callee


@njit(debug=True)
def call(a):
    total = 0.0
    for i in range(a.shape[0]):
        total += clip(a[i], 0.25, 0.75)
    return total  # at: behind the loop


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else os.environ["PLAIN_LOOPS"]
    if what == "walk":
        walk(10)
        print("ready", flush=True)
        walk(1 << 60)
    elif what == "fault":
        fault(np.arange(4.0), 1 << 30)
    else:
        print(call(np.arange(8) / 7))

"""Functions that are compiled without debug information. The argument says where the fault is: in a function that is
called from Python, in one that is inlined, or in one that is inlined in the body of a parallel loop. Without an argument
the program runs until it is killed."""

import sys

import numpy as np
from numba import njit, prange


@njit
def clipped(value, low, high):
    if value < low:
        return low
    if value > high:
        return high
    return value


@njit
def write(values, k):
    place = int(values[k % 10]) * 10**10
    values[place] = values[0] + k  # at: write
    return place


@njit
def total(cells, low, high, k):
    whole = 0.0
    for i in range(cells.shape[0]):
        whole += clipped(cells[i], low, high)  # at: clip
    if k > 10:
        whole += write(cells, k)  # at: call
    return whole


@njit(parallel=True)
def rows(cells, k):
    found = np.zeros(cells.shape[0])
    for i in prange(cells.shape[0]):  # at: header
        found[i] = total(cells, 0.0, 5.0, k + i % 2)  # at: body
    return found


@njit
def spin(cells, n):
    seen = 0.0
    while cells[0] >= 0:
        seen += cells[n]  # at: spin
    return seen


def main(where):
    cells = np.arange(10.0)
    print(write(cells, 0), total(cells, 0.0, 5.0, 3), rows(cells, 3).sum(), flush=True)
    if where == "direct":
        write(cells, 99999)
    elif where == "inlined":
        total(cells, 0.0, 5.0, 99999)
    elif where == "worker":
        rows(cells, 99999)
    elif where == "spin":
        print("ready", flush=True)
        spin(cells, 7)


main(sys.argv[1] if len(sys.argv) > 1 else "spin")

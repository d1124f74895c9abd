"""Compiled functions without debug=True that crash by an index. Usage: undecorated.py KIND"""

import ctypes
import mmap
import sys

import numpy as np
from numba import float64, njit, prange
from numba.experimental import jitclass


@njit
def field_of(points, i):
    points[i].x = 3
    return points[0].y


@njit
def named_field(points, i):
    total = 0.0
    for k in range(2):
        total += points[k + i]["y"]
    return total


@njit
def row_field(grid, i, j):
    grid[0, 0].x = 1
    return grid[i, j].y


@njit
def in_a_slice(values, i):
    part = values[2:8]
    part[i] = 3.0
    return values[0]


@njit
def of_its_own(count, i):
    own = np.zeros(count)
    for k in range(count):
        own[k] = k
    own[i] = 5.0
    return own.sum()


@njit
def element(values, j):
    return values[j]


@njit
def by_a_function(values, others, i):
    return values[0] + element(others, i)


@njit
def by_a_conversion(values, i):
    return values[np.uint64(i)]


@njit(parallel=True)
def in_a_loop(others, count):
    total = 0.0
    for _ in prange(2):
        total += element(others, count)
    return total


@jitclass([("data", float64[:])])
class Box:
    def __init__(self, count):
        self.data = np.zeros(count)

    def put(self, i):
        self.data[i] = 1.0
        return 2


@njit
def in_a_method(box, i):
    return box.put(i)


@njit
def by_a_header(values, weights):
    return sum([weights[int(x) & 3] for x in values])


def protected(count):
    """Return an array whose memory nothing may access."""
    memory = mmap.mmap(-1, count * 8)
    values = np.frombuffer(memory)
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(values.ctypes.data), ctypes.c_size_t(count * 8), 0)
    return values


POINTS = np.zeros(4, [("x", "i4"), ("y", "f8")]).view(np.recarray)
GRID = np.zeros((3, 2), [("x", "i4"), ("y", "f8")]).view(np.recarray)
FAR = 10**9
KINDS = {
    "field_of": lambda: field_of(POINTS, FAR),
    "named_field": lambda: named_field(POINTS, FAR),
    "row_field": lambda: row_field(GRID, 1, FAR),
    "in_a_slice": lambda: in_a_slice(np.zeros(10), FAR),
    "of_its_own": lambda: of_its_own(20, FAR),
    "by_a_function": lambda: by_a_function(np.zeros(3), np.zeros(7), FAR),
    "by_a_conversion": lambda: by_a_conversion(np.zeros(5), FAR),
    "in_a_loop": lambda: in_a_loop(np.zeros(12), FAR),
    "by_a_header": lambda: by_a_header(protected(4096), np.zeros(4)),
    "in_a_method": lambda: in_a_method(Box(9), FAR),
}
KINDS[sys.argv[1]]()

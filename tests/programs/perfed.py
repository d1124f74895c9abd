"""Compiled functions that perf has names for: writes where they are, and the file that perf reads, here and in a child."""

import os

import numpy as np
from numba import njit, prange, stencil


@njit
def hot(n, a):
    total = 0.0
    for i in range(n):
        for value in a:
            total += value**0.5 / (1 + i)
    return total


@njit(debug=True)
def debugged(x):
    return x * 2


@njit(parallel=True)
def spread(a):
    for i in prange(a.size):
        a[i] = i


@stencil
def smooth(a):
    return a[-1] + a[1]


def place(function):
    (overload,) = function.overloads.values()
    return f"{overload.library.get_pointer_to_function(overload.fndesc.llvm_func_name):x}"


path = f"/tmp/perf-{os.getpid()}.map"
with open(path, "w") as file:
    file.write("1 1 of another process\n")
os.utime(path, (0, 0))
hot(1, np.arange(1000.0))
with open(path, "a") as file:
    file.write("2 2 py::of CPython's own\n")
debugged(1)
spread(np.zeros(8))
smooth(np.zeros(4))
if (child := os.fork()) == 0:
    path = f"/tmp/perf-{os.getpid()}.map"
    with open(path) as file:
        print("child", file.read().count(" hot("), flush=True)
    os.remove(path)
    os._exit(0)
os.waitpid(child, 0)
hot(60000, np.arange(1000.0))
print(place(hot), "hot(int64, array(float64, 1d, C))")
print(place(debugged), "debugged(int64)")
with open(path) as file:
    print(file.read(), end="")
print(path)

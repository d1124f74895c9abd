"""Functions that call themselves until the stack is full, which begins with a size that GDB unwinds in seconds.

Arguments: what to run, and the size of the stack in KiB (0: as it is)."""

import resource
import sys
import time

import numpy as np
from numba import njit, objmode

KEPT = np.zeros(3)


@njit("int64(int64, int64)")
def walk(node, depth):
    if node < 0:
        return depth
    below = walk(node + 1, depth + 1) + 1
    return below * 3 % 7


@njit
def even(depth):
    if depth < 0:
        return 1
    return odd(depth + 1) * 3 + 1


@njit
def odd(depth):
    if depth < 0:
        return 2
    return even(depth + 1) * 5 + 2


@njit
def add(x):
    return x + 1


@njit
def tree(a, depth):
    if depth < 0:
        return 0.0
    kept = add(a[0])
    if depth % 3 == 0:
        return tree(a, depth + 1) * kept
    return tree(a, depth + 1) + kept * depth


@njit
def within(depth):
    kept = walk(depth, 0) + 1
    return kept * 2


@njit
def mixed(depth):
    """Calls itself by way of Python once, and then without."""
    if depth < 0:
        return 0
    if depth == 200:
        with objmode(r="int64"):
            r = mixed(depth + 1)
        return r + 1
    return mixed(depth + 1) * 3 + 1


@njit
def waits(depth, flag):
    if depth == 60000:
        while flag[0] == 0:
            flag[1] += 1
        return 0
    return waits(depth + 1, flag) * 3 + 1


what = sys.argv[1] if len(sys.argv) > 1 else "waits"
size = int(sys.argv[2]) if len(sys.argv) > 2 else 0
walk(-1, 0), even(-1), odd(-1), tree(KEPT, -1), within(-1), mixed(-1), waits(60000, np.ones(2, np.int64))
walk(-1, 5)
if size:
    resource.setrlimit(resource.RLIMIT_STACK, (size << 10, size << 10))
if what == "waits":
    print("ready", flush=True)
    waits(0, np.zeros(2, np.int64))
    time.sleep(60)
functions = {"walk": lambda: walk(0, 0), "even": lambda: even(0), "tree": lambda: tree(KEPT, 0)}
functions.update(within=lambda: within(0), mixed=lambda: mixed(0))
functions[what]()

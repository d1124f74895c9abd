"""Functions that raise: by statements and by what Numba does for one, in loops, callees, workers, generators."""

import os
import sys
import time

import numpy as np
from numba import njit, prange


class Overdrawn(ValueError):
    pass


@njit(debug=True)
def check(x):
    if x == 3:
        raise ValueError("bad", 7)  # at: callee
    return x + 1


@njit(debug=True)
def call(n):
    total = 0
    for i in range(n):
        total += check(i)  # at: call
    return total


@njit(debug=True, boundscheck=True)
def index(a, n):
    total = 0.0
    for i in range(n):
        total += a[i]  # at: index
    return total


@njit(debug=True)
def divide(a, b):
    quotient = a // b  # at: divide
    return quotient


@njit(debug=True)
def guarded(n):
    caught = 0
    for i in range(n):
        try:
            if i % 2 == 0:
                raise KeyError("even")  # at: guarded
        except Exception:
            caught += 1
    return caught


@njit(debug=True)
def drain(items):
    taken = 0
    while taken < 9:
        taken += items.pop()  # at: pop
    return taken


@njit
def plain(x):
    if x > 2:
        raise IndexError("plain")  # at: plain
    return x


@njit(debug=True)
def through(n):
    total = 0
    for i in range(n):
        total += plain(i)  # at: through
    return total


@njit(debug=True)
def outermost(n):
    return through(n) + 1


@njit(debug=True)
def own(n):
    raise Overdrawn("short of", n)  # at: own


@njit(debug=True)
def asserts(n):
    assert n < 3, "too big"  # at: assert
    return n


@njit(debug=True)
def count_down(n):
    while True:
        if n == 0:
            raise RuntimeError("empty")  # at: generator
        yield n
        n -= 1


@njit(debug=True)
def consume(n):
    total = 0
    for value in count_down(n):
        total += value
    return total


@njit(debug=True)
def descend(n):
    if n > 100:
        return n
    if n == 0:
        raise OverflowError("bottom")  # at: recursion
    return descend(n - 1) + 1


@njit(debug=True, boundscheck=True, parallel=True)
def spread(a, n):
    for i in prange(n):
        a[i] = 2 * a[i]  # at: worker
    return a.sum()


@njit(debug=True, parallel=True)
def scatter(a, n):
    for i in prange(n):
        a[i] = check(i)
    return a.sum()


@njit(debug=True)
def ends(n):
    total = 0
    for value in up_to(n):
        total += value
    return total


@njit(debug=True)
def up_to(n):
    for i in range(n):
        yield i


def run(function, *arguments):
    try:
        print(function.__name__, function(*arguments), flush=True)
    except Exception as error:
        print(function.__name__, repr(error), flush=True)


CALLS = {
    "call": (call, 5),
    "index": (index, np.arange(3.0), 5),
    "divide": (divide, 4, 0),
    "guarded": (guarded, 3),
    "drain": (drain, None),
    "through": (through, 5),
    "outermost": (outermost, 5),
    "own": (own, 8),
    "asserts": (asserts, 5),
    "consume": (consume, 2),
    "descend": (descend, 2),
    "spread": (spread, np.arange(8), 9),
    "scatter": (scatter, np.arange(8), 4),
    "ends": (ends, 3),
}


def arguments_of(name):
    function, *arguments = CALLS[name]
    if name == "drain":
        from numba.typed import List

        arguments = [List([1, 2])]
    return function, *arguments


if __name__ == "__main__":
    names = sys.argv[1:] or list(CALLS)
    if "RAISES_FOREVER" in os.environ:  # for somebody who attaches
        run(*arguments_of("index"))
        print("ready", flush=True)
        while True:
            time.sleep(0.2)
            run(*arguments_of("index"))
    for name in names:
        run(*arguments_of(name))

"""Functions with results of many types, compiled with their lines only. The program prints each result."""

import numba
import numpy as np
from numba.experimental import jitclass

DAYS = np.array(["2020-01-01"], "M8[D]")
POINTS = np.zeros(3, np.dtype([("x", "f8"), ("n", "i4")]))
NUMBERS = np.arange(5.0)


@jitclass([("w", numba.float64)])
class Box:
    def __init__(self, w):
        self.w = w


@numba.njit
def pair(a):
    return a.sum(), a.size > 3


@numba.njit
def array(a):
    return a * 1.5


@numba.njit
def flag(a):
    return a.size > 3


@numba.njit
def maybe(a):
    if a.size > 100:
        return None
    return a.size


@numba.njit
def text(a):
    return "abc" + str(a.size)


@numba.njit
def day(a):
    return a[0]


@numba.njit
def single(a):
    return np.float32(a[1])


@numba.njit
def listed(a):
    return [a.size, 3]


@numba.njit
def nothing(a):
    a[0] = 1


@numba.njit
def imaginary(a):
    return a[1] * 1j


@numba.njit
def byte(a):
    return np.uint8(a.size + 250)


@numba.njit
def negative(a):
    return np.int16(-a.size)


@numba.njit
def record(a):
    return a[1]


@numba.njit
def box(a):
    return Box(a[1])


@numba.njit
def nested(a):
    return (a.size, (True, np.float32(1.5)), a[1:3])


FUNCTIONS = [
    pair, array, flag, maybe, text, day, single, listed, nothing, imaginary, byte, negative, record, box, nested,
]  # fmt: skip
if __name__ == "__main__":
    for function in FUNCTIONS:
        result = function(DAYS if function is day else POINTS if function is record else NUMBERS.copy())
        shown = f"Box(w={result.w})" if function is box else result.item() if function is record else repr(result)
        print("result", function.__name__, shown, flush=True)

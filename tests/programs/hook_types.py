"""A value of each kind that Numba knows, looked at in compiled code; `rest`: only what comes behind them."""

import collections
import enum
import sys

import numba
import numpy as np
from numba import njit, typed, types
from numba.experimental import jitclass, structref


class Color(enum.IntEnum):
    RED = 1
    GREEN = 2


class Shape(enum.Enum):
    DOT = -3
    LINE = 7


Point = collections.namedtuple("Point", "x y")
Mixed = collections.namedtuple("Mixed", "name count")


@jitclass([("total", numba.int64), ("scale", numba.float32)])
class Counter:
    def __init__(self, total):
        self.total = total
        self.scale = 0.5


@structref.register
class BoxType(types.StructRef):
    pass


class Box(structref.StructRefProxy):
    pass


structref.define_proxy(Box, BoxType, ["width", "tag"])

RECORD = np.dtype([("a", "i1"), ("b", "f8"), ("c", "?"), ("d", "i4", (2,)), ("s", "S3")], align=True)
PACKED = np.dtype([("a", "i1"), ("b", "f8")])


@njit(debug=True)
def look(v):
    seen = v
    return 0  # at: look


@njit(debug=True)
def maybe(n):
    half = None if n > 3 else n
    return half  # at: maybe


@njit(debug=True)
def kinds(n):
    nothing = None
    steps = range(2, n, 3)
    text = "abc"
    other = look
    number = 3
    flag = True
    return len(steps) + number + len(text) + flag, nothing, other(n)  # at: kinds


def main():
    record = np.zeros(2, RECORD)[1:]
    record[0] = (-1, 2.5, True, [3, 4], b"xy")
    numbers = typed.Dict.empty(types.unicode_type, types.int64)
    numbers["a"] = 1
    look(True)
    look(np.int8(-5))
    look(np.uint64(2**63 + 1))
    look(-7)
    look(np.float32(0.5))
    look(2.5)
    look(1.5 - 2j)
    look(np.datetime64("2020-01-02", "D"))
    look(np.timedelta64(5, "ms"))
    look(Color.GREEN)
    look(Shape.DOT)
    look((np.int8(1), 2**40, True))
    look((1, 2, 3))
    look(((1, 2.5), (3, 4.5)))
    look(Point(1.5, 2.5))
    look(Mixed(3, 4.5))
    look(np.arange(6, dtype=np.int16).reshape(2, 3)[:, ::-1])
    look(np.array(3.5))
    look("h\u20ac")
    look(b"abc")
    look(typed.List([1, 2, 3]))
    look(numbers)
    look([1, 2, 3])
    look(Counter(4))
    look(Box(2.5, 3))
    look(record[0])
    look(np.ones(2, PACKED))
    look(np.array(["ab", "cde"]))
    look(slice(1, 5, 2))
    look(None)
    look(np.float64)


if __name__ == "__main__":
    if sys.argv[1:] != ["rest"]:
        main()
    maybe(2)
    maybe(5)
    kinds(9)

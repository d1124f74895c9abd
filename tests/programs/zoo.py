"""A value of each kind that a variable can hold; before each stop Python says how it reads. `zoo.py LOOK`: that one."""

import collections
import enum
import functools
import sys

import numba
import numpy as np
from numba import njit, types
from numba.experimental import jitclass, structref
from numba.typed import Dict, List


class Color(enum.IntEnum):
    RED = 1
    GREEN = 2


class Shape(enum.Enum):
    DOT = -3
    LINE = 7


class Far(enum.Enum):
    BELOW = -(2**40)
    ABOVE = enum.auto()


Point = collections.namedtuple("Point", "x y")


@jitclass([("total", numba.int64), ("scale", numba.float32), ("data", numba.float64[:])])
class Counter:
    def __init__(self, total):
        self.total = total
        self.scale = 0.5
        self.data = np.arange(3.0)


@structref.register
class BoxType(types.StructRef):
    def preprocess_fields(self, fields):
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Box(structref.StructRefProxy):
    def __new__(cls, *args):
        return structref.StructRefProxy.__new__(cls, *args)


structref.define_proxy(Box, BoxType, ["width", "tag"])

link_type = numba.deferred_type()


@jitclass([("number", numba.int32), ("next", numba.optional(link_type))])
class Link:
    def __init__(self, number):
        self.number = number
        self.next = None


link_type.define(Link.class_type.instance_type)
RECORD = np.dtype([("a", "i1"), ("b", "f8"), ("c", "?"), ("d", "i4", (2,)), ("s", "S3")], align=True)
NESTED = np.dtype([("p", [("x", "f4"), ("y", "f4")]), ("m", "i2", (2, 2)), ("u", "U2")])


@njit(debug=True)
def look(v):
    seen = v
    return 0  # at: look


@njit(debug=True)
def maybe(n):
    half = None if n > 3 else n
    words = None if n > 3 else "abc"
    both = (half, words)
    return half, words, both  # at: maybe


@njit(debug=True)
def made(n):
    nested = [[1, n], [3]]
    words = {str(n)}
    many = [1, "x", 2.5]
    named = {"a": 1, "b": "x"}
    empty = [n for _ in range(0)]
    points = [Point(1, 2.5)]
    steps = range(2, n, 3)
    cut = slice(1, n)
    none = None
    text = "literal"
    other = look
    module = np
    pair = enumerate(nested)
    both = zip(range(n), "abc")
    over = iter(range(n))
    flat = np.zeros((2, 2)).flat
    corner = np.ndenumerate(np.ones(2))
    walk = np.ndindex(2, 3)
    used = 0
    for _ in pair:
        used += 1
        break
    for _ in both:
        used += 1
        break
    for _ in over:
        used += 1
        break
    for _ in flat:
        used += 1
        break
    for _ in corner:
        used += 1
        break
    for _ in walk:
        used += 1
        break
    used += other(n)  # at: made
    used += len(many[1]) + len(named["b"]) + len(words) + len(nested) + len(empty) + len(points) + len(steps)
    used += cut.start
    return used, none, text, module.pi


def dict_of(pairs):
    made = Dict()
    for key, value in pairs:
        made[key] = value
    return made


def deleted():
    made = dict_of([(i, i / 2) for i in range(300)])
    for i in range(295):
        del made[i]
    return made


def set_of(items):
    made = numba.typed.Set()
    for each in items:
        made.add(each)
    return made


def record():
    made = np.zeros(1, RECORD)
    made[0] = (-1, 2.5, True, [3, 4], b"xy")
    return made[0]


def nested():
    made = np.zeros(2, NESTED)
    made[1] = ((1.5, -2), [[1, 2], [3, 4]], "é")
    return made


def ring():
    made = Link(0)
    made.next = Link(1)
    made.next.next = made
    return made


@functools.cache
def counter():
    return Counter(4)


@functools.cache
def points():
    return List([Point(1, 2.5)])


SHOWN = "Counter(total=4, scale=0.5, data=array([0., 1., 2.]))"

# Makes a value (which may compile something), and says what is shown where repr() has an address in it or names no
# attribute.
ZOO = [
    lambda: (True, None),
    lambda: (np.int8(-5), "-5"),
    lambda: (np.uint64(2**63 + 1), str(2**63 + 1)),
    lambda: (-7, None),
    lambda: (np.float32(0.5), "0.5"),
    lambda: (2.5, None),
    lambda: (float("nan"), None),
    lambda: (1.5 - 2j, None),
    lambda: (np.datetime64("2020-01-02", "D"), "np.datetime64('2020-01-02')"),
    lambda: (np.timedelta64(5, "ms"), "np.timedelta64(5,'ms')"),
    lambda: (Color.GREEN, None),
    lambda: (Shape.DOT, None),
    lambda: ((1, 2, 3), None),
    lambda: ((np.int8(1), 2**40, True), "(1, 1099511627776, True)"),
    lambda: (((1, 2.5), (3, ("x", None))), None),
    lambda: (Point(1.5, 2.5), None),
    lambda: (Point(1, "a"), None),
    lambda: ((), None),
    lambda: ("h\u20ac\n", None),
    lambda: ("", None),
    lambda: (b"ab\xff", None),
    lambda: (bytearray(b"xy"), None),
    lambda: (np.arange(6, dtype=np.int16).reshape(2, 3)[:, ::-1], None),
    lambda: (np.array(3.5), None),
    lambda: (np.zeros((0, 2)), None),
    lambda: (np.zeros(300), "array([0. <repeats 200 times>, ...])"),
    lambda: (np.array(["ab", "cde"]), None),
    lambda: (np.array([b"ab", b"c"]), None),
    lambda: (np.array([True, False]), None),
    lambda: (np.array([1 + 2j]), None),
    lambda: (np.array(["2020-01-01", "NaT"], "M8[D]"), None),
    lambda: (record(), None),
    lambda: (nested(), None),
    lambda: (List([1, 2, 3]), None),
    lambda: (List(["a", "b c"]), None),
    lambda: (List([List([1.5]), List([2.5, 3.5])]), None),
    lambda: (List([np.arange(3), np.ones(2, int)]), None),
    lambda: (List.empty_list(types.float64), None),
    lambda: (points(), f"{str(numba.typeof(points()))}([Point(x=1, y=2.5)])"),
    lambda: (List([(1, "x")]), None),
    lambda: (dict_of([("k", 1.5), ("é", 2.5)]), None),
    lambda: (dict_of([((1, 2), List([1]))]), None),
    lambda: (dict_of([(1, np.arange(2))]), None),
    lambda: (dict_of([("d", dict_of([(1, "y")]))]), None),
    lambda: (deleted(), None),
    lambda: (dict_of([(np.int8(3), True)]), None),
    lambda: (Dict.empty(types.int64, types.unicode_type), None),
    lambda: ([1, 2, 3], None),
    lambda: (["a", "b"], None),
    lambda: ([(1, 2.5)], None),
    lambda: ({1, 2, 3}, None),
    lambda: ({2.5}, None),
    lambda: (counter(), SHOWN),
    lambda: (List([counter()]), f"{str(numba.typeof(List([counter()])))}([{SHOWN}])"),
    lambda: (Box(2.5, "t"), "BoxType(width=2.5, tag='t')"),
    lambda: (
        Box(List([1, 2]), dict_of([("a", (1, 2.5))])),
        "BoxType(width=ListType[int64]([1, 2]), tag=DictType[unicode_type,Tuple(int64, float64)]<iv=None>({a: (1, 2.5)}))",
    ),  # fmt: skip # noqa: E501
    lambda: (slice(1, 5, 2), None),
    lambda: (None, None),
    lambda: (ring(), "Link(number=0, next=Link(number=1, next=Link(...)))"),
    lambda: (Far.BELOW, None),
    lambda: (np.zeros(1, RECORD), None),
    lambda: (List([Shape.LINE]), None),
    lambda: (List([Color.RED]), f"{numba.typeof(List([Color.RED]))}([1])"),
    lambda: (np.dtype("M8[s]"), None),
    lambda: (..., None),
]
if hasattr(numba.typed, "Set"):
    ZOO += [lambda: (set_of([1, 2]), None), lambda: (set_of(["a", "b"]), None)]


def main():
    wanted = sys.argv[1:]
    for number, make in enumerate(ZOO):
        if not wanted or str(number) in wanted:
            value, shown = make()
            print("EXPECT", ascii(repr(value) if shown is None else shown), flush=True)
            look(value)
    maybe(2)
    maybe(5)
    made(4)


if __name__ == "__main__":
    main()

"""Values that neither zoo.py nor zoo_more.py has: each at the edge of its kind. `zoo_wide.py LOOK`: that one."""

import collections
import ctypes
import enum
import sys
import typing

import numba
import numpy as np
from numba import njit, types
from numba.experimental import jitclass, structref
from numba.typed import Dict, List


class Weekday(enum.IntEnum):
    MON = 0
    FRI = 4


class Planet(enum.Enum):
    EARTH = -3
    MARS = 7


class Mixed(enum.Enum):
    LOW = -(2**40)
    HIGH = 2**40


class Turn(enum.Enum):
    BACK = -1
    LEFT = 1j


class Switch(enum.Enum):
    OFF = False
    ON = True


class Vec(typing.NamedTuple):
    x: float
    y: float


class Line(typing.NamedTuple):
    start: Vec
    end: Vec
    label: str


One = collections.namedtuple("One", "only")
Holder = collections.namedtuple("Holder", "items table grid maybe")


@njit(debug=True)
def observe(item):
    same = item
    return 2  # at: observe


@jitclass
class Cell:
    row: types.uint8
    tag: types.unicode_type
    when: types.NPDatetime("s")
    spot: types.optional(types.UniTuple(types.int16, 2))

    def __init__(self, row, tag, when):
        self.row = row
        self.tag = tag
        self.when = when
        self.spot = None


cell_type = Cell.class_type.instance_type


@jitclass
class Board:
    corner: cell_type
    cells: types.DictType(types.UniTuple(types.int64, 2), cell_type)
    field: types.Array(types.complex64, 2, "A")
    flags: types.Array(types.boolean, 1, "C")

    def __init__(self, corner, field):
        self.corner = corner
        self.cells = Dict.empty(pair_type, cell_type)
        self.cells[(0, 1)] = corner
        self.field = field
        self.flags = np.array([True, False])


pair_type = types.UniTuple(types.int64, 2)

ring_type = numba.deferred_type()


@jitclass
class Ring:
    number: types.int32
    next: types.optional(ring_type)

    def __init__(self, number):
        self.number = number
        self.next = None


ring_type.define(Ring.class_type.instance_type)


@structref.register
class PairType(types.StructRef):
    def preprocess_fields(self, fields):
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Pair(structref.StructRefProxy):
    def __new__(cls, left, right):
        return structref.StructRefProxy.__new__(cls, left, right)


structref.define_proxy(Pair, PairType, ["left", "right"])


def table(key, value, items):
    made = Dict.empty(key, value)
    for name, item in items:
        made[name] = item
    return made


def set_of(kind, items):
    made = numba.typed.Set.empty(kind)
    for each in items:
        made.add(each)
    return made


def emptied(kind):
    made = List.empty_list(kind)
    made.append(kind(1))
    made.pop()
    return made


def thinned():
    made = table(types.unicode_type, types.int64, [(f"k{i}", i) for i in range(40_000)])
    for i in range(39_998):
        del made[f"k{i}"]
    return made


def ring(count):
    first = made = Ring(0)
    for number in range(1, count):
        made.next = Ring(number)
        made = made.next
    made.next = first
    return first


INNER = np.dtype([("id", "u2"), ("xy", "f4", (2,))])
OUTER = np.dtype([("head", INNER), ("rows", INNER, (2,)), ("name", "S4"), ("uni", "U3"), ("z", "c8"), ("t", "M8[ms]")])
PADDED = np.dtype([("flag", "?"), ("value", "f8"), ("small", "i1")], align=True)
SPREAD = np.dtype({"names": ["a", "b"], "formats": ["i4", "f8"], "offsets": [4, 16], "itemsize": 32})


def outer():
    made = np.zeros(2, OUTER)
    made[0] = ((7, (1.5, -2.5)), [(1, (0, 1)), (2, (3, 4))], b"ab\x00c", "h\u00e9", 1 - 2j, "2020-02-03T04:05:06.007")
    made[1]["t"] = np.datetime64("NaT")
    return made


def read_only(array):
    array.flags.writeable = False
    return array


def misaligned():
    raw = np.zeros(25, np.uint8)
    made = raw[1:].view(np.float64)
    made[:] = [1.5, 2.5, -0.0]
    return made


CELL = "Cell(row=200, tag='é', when=np.datetime64('2021-01-01T00:00:00'), spot=None)"


def cell():
    return Cell(200, "\u00e9", np.datetime64("2021-01-01T00:00:00", "s"))


def board():
    return Board(cell(), np.array([[1 + 2j, 0], [3, -1j]], np.complex64)[:, ::-1])


def cells():
    return List([cell(), cell()])


def wide():
    return Pair(Pair(1.5, (2, "x")), List(["a"]))


times = {
    unit: np.array(["2021-03-04T05:06:07.123456789", "NaT"], "M8[ns]").astype(f"M8[{unit}]")
    for unit in ("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns")
}
spans = {unit: np.array([5, -3, "NaT"], f"m8[{unit}]") for unit in (*times, "ps", "fs", "as")}

# What makes the value, and how it reads where repr() has an address in it or names no attribute.
ZOO = [
    (lambda: np.array([1 / 3, 2 / 3, 1.0]), None),
    # numbers
    (lambda: np.int16(-300), "-300"),
    (lambda: np.uint8(255), "255"),
    (lambda: np.complex64(1.1 - 0.1j), "(1.1-0.1j)"),
    (lambda: complex("inf-nanj"), None),
    (lambda: complex(-0.0, -0.0), None),
    (lambda: np.float32(0.1), "0.1"),
    (lambda: np.float32(1e-8), "1e-08"),
    (lambda: 1e16, None),
    (lambda: 123456789012345680.0, None),
    (lambda: -0.0, None),
    (lambda: True, None),
    (lambda: np.bool_(False), "False"),
    (lambda: Weekday.MON, None),
    (lambda: Planet.MARS, None),
    (lambda: Mixed.LOW, None),
    (lambda: (Mixed.HIGH, Weekday.FRI), None),
    # times
    (lambda: np.datetime64("NaT", "ns"), None),
    (lambda: np.timedelta64("NaT", "h"), "np.timedelta64('NaT','h')"),
    (lambda: np.datetime64("-0044-03-15T12", "h"), None),
    (lambda: np.datetime64(1, "Y"), "np.datetime64('1971')"),
    (lambda: np.datetime64(123, "us"), None),
    (
        lambda: (np.datetime64("2000-01", "M"), np.timedelta64(-3, "Y")),
        "(np.datetime64('2000-01'), np.timedelta64(-3,'Y'))",
    ),  # fmt: skip # noqa: E501
    *((lambda unit=unit: times[unit], None) for unit in times),
    *((lambda unit=unit: spans[unit], None) for unit in spans),
    (lambda: np.array(["1969-12-31T23:59:59.999", "1600-02-29"], "M8[ms]"), None),
    # texts
    (lambda: "tab\there\x00nul\x7f\x85\u2028", None),
    (lambda: "'", None),
    (lambda: "both ' and \"", None),
    (lambda: "\U0001f600\ud7ff", None),
    (lambda: b"", None),
    (lambda: b"'\"\\\n", None),
    (lambda: np.array(["abc", "d", ""], "U7"), None),
    (lambda: np.array([b"abc", b"d'", b""], "S5"), None),
    (lambda: np.array([["a", "b"], ["c", "dé"]]), None),
    (lambda: np.array(["xy", "z"], "U2")[0:1], None),
    # arrays
    (lambda: np.array(7), None),
    (lambda: np.array(True), None),
    (lambda: np.array(2 - 1j, "c8"), None),
    (lambda: np.array("2020-01-01", "M8[D]"), None),
    (lambda: np.arange(24).reshape(2, 3, 4)[::-1, ::2, 1:-1], None),
    (lambda: np.arange(10.0)[7:2:-2], None),
    (lambda: np.broadcast_to(np.arange(3), (2, 3)), None),
    (lambda: read_only(np.arange(4, dtype="u4")), None),
    (lambda: read_only(np.eye(2))[:, 1], None),
    (lambda: np.eye(3, dtype=bool)[::2], None),
    (lambda: np.ones((1, 1, 1, 1), "f4"), None),
    (lambda: np.empty((0, 3), "i8"), None),
    (lambda: np.empty((2, 0), "?"), None),
    (lambda: np.array([1e-10, 1e10]), None),
    (lambda: np.array([np.nan, np.inf, -np.inf, -0.0], "f4"), None),
    (lambda: np.array([complex(np.nan, -1), complex(0, np.inf)]), "array([nan-1.j, 0.+infj])"),
    (lambda: np.array([2**64 - 1, 0], "u8"), None),
    (lambda: np.arange(3, dtype=">i4").astype("<i4"), None),
    (lambda: np.arange(12)[np.arange(12) % 5 == 0], None),
    # records
    (lambda: outer(), None),
    (lambda: outer()[::-1], None),
    (lambda: outer()["head"], None),
    (lambda: np.zeros(1, PADDED), None),
    (lambda: np.zeros(1, PADDED)[0], None),
    (lambda: np.ones(1, SPREAD), None),
    # digits
    (lambda: np.array([1e10, -1.5, np.nan]), None),
    (lambda: np.array([100000.0, 0.5], np.float32), None),
    (lambda: np.array(1 / 3), None),
    # tuples
    (lambda: Vec(1.5, -2.5), None),
    (lambda: Line(Vec(0.0, 1.0), Vec(2.0, 3.0), "l"), None),
    (lambda: One((1,)), None),
    (lambda: (None, (None, 1), "x", b"y", True, 1j), None),
    (lambda: Holder([1], table(types.int64, types.int64, [(1, 2)]), np.eye(1), None), None),
    (lambda: (np.arange(2), np.arange(2)[::-1], "s"), None),
    (lambda: (1,) * 30, None),
    (lambda: (List([1]), {2}, [3.5]), None),
    # lists
    (lambda: [1.5, float("nan")], None),
    (lambda: [Vec(1.0, 2.0)], None),
    (lambda: [np.arange(2), np.arange(3)], None),
    (lambda: [1j, 2.0 + 0j], None),
    (lambda: [np.datetime64("2020-01-01"), np.datetime64("2021-01-01")], None),
    (lambda: {(1, 2)}, None),
    # typed containers
    (lambda: emptied(types.int32), None),
    (lambda: List([True]), None),
    (lambda: List([List([("a", 1)])]), None),
    (lambda: List([np.zeros((1, 2)), np.ones((2, 1))]), None),
    (lambda: List([Weekday.FRI]), None),
    (lambda: List([np.datetime64("2020-01-01", "D")]), None),
    (lambda: List([1j, 2]), None),
    (
        lambda: List([Line(Vec(0.0, 1.0), Vec(2.0, 3.0), "l")]),
        "{type}([Line(start=Vec(x=0.0, y=1.0), end=Vec(x=2.0, y=3.0), label='l')])",
    ),  # fmt: skip # noqa: E501
    (lambda: List(outer()["head"]), None),
    (lambda: List([table(types.int64, types.unicode_type, [(1, "a")])]), None),
    (lambda: table(types.UniTuple(types.int32, 3), types.float32, [((1, -2, 3), 0.5)]), None),
    (
        lambda: table(
            types.Tuple([types.unicode_type, types.int8]), types.UniTuple(types.unicode_type, 1), [(("k", -1), ("v",))]
        ),
        None,
    ),  # fmt: skip # noqa: E501
    (
        lambda: table(
            types.unicode_type,
            types.DictType(types.int64, types.ListType(types.float64)),
            [("a", table(types.int64, types.ListType(types.float64), [(1, List([0.5]))]))],
        ),
        None,
    ),  # fmt: skip # noqa: E501
    (lambda: table(types.complex128, types.boolean, [(1j, True)]), None),
    (
        lambda: table(
            types.NPDatetime("D"), types.NPTimedelta("s"), [(np.datetime64("2020-01-01"), np.timedelta64(3, "s"))]
        ),
        None,
    ),  # fmt: skip # noqa: E501
    (lambda: table(types.uint8, types.int16, [(255, -1), (0, 300)]), None),
    (lambda: table(types.float32, types.unicode_type, [(0.1, "x")]), None),  # fmt: skip # noqa: E501
    (lambda: thinned(), None),
    (
        lambda: table(types.unicode_type, cell_type, [("c", cell())]),
        "DictType[unicode_type,{cell}]<iv=None>({{c: " + CELL + "}})",
    ),  # fmt: skip # noqa: E501
    # instances
    (lambda: cell(), CELL),
    (
        lambda: board(),
        "Board(corner="
        + CELL
        + ", cells=DictType[UniTuple(int64 x 2),{cell}]<iv=None>({{(0, 1): "
        + CELL
        + "}}), field=array([[0.+0.j, 1.+2.j], [-0.-1.j, 3.+0.j]], dtype=complex64), flags=array([True, False]))",
    ),  # fmt: skip # noqa: E501
    (lambda: cells(), "{type}([" + CELL + ", " + CELL + "])"),
    (lambda: (cell(), 1), "(" + CELL + ", 1)"),
    (lambda: ring(1), "Ring(number=0, next=Ring(...))"),
    (lambda: ring(3), "Ring(number=0, next=Ring(number=1, next=Ring(number=2, next=Ring(...))))"),
    (lambda: wide(), "PairType(left=PairType(left=1.5, right=(2, 'x')), right=ListType[unicode_type]([a]))"),
    (lambda: (wide(),), "(PairType(left=PairType(left=1.5, right=(2, 'x')), right=ListType[unicode_type]([a])),)"),
    # others
    (lambda: slice(None, None), "slice(0, None, None)"),
    (lambda: slice(3), "slice(0, 3, None)"),
    (lambda: slice(5, None, -2), None),
    (lambda: memoryview(b"abc"), "memoryview(b'abc')"),
    (lambda: Turn.LEFT, None),
    (lambda: Switch.ON, None),
    (lambda: bytearray(b"it's"), None),
    (lambda: PADDED, None),
    (lambda: observe, None),
    (lambda: np.dtype("f4"), None),
    (lambda: np.dtype("M8[ns]"), None),
    (lambda: ..., None),
]
if hasattr(numba.typed, "Set"):
    ZOO += [
        (lambda: set_of(types.unicode_type, ["a", "é"]), None),
        (lambda: set_of(types.int64, []), None),
        (lambda: set_of(pair_type, [(1, 2)]), None),
        (lambda: set_of(types.float32, [0.5]), None),
    ]


def main():
    wanted = sys.argv[1:]
    for number, (make, shown) in enumerate(ZOO):
        if not wanted or str(number) in wanted:
            value = make()
            names = {"{type}": str(numba.typeof(value)), "{cell}": str(cell_type), "{{": "{", "}}": "}"}
            for name, text in names.items():
                shown = shown and shown.replace(name, text)
            print("EXPECT", ascii(repr(value) if shown is None else shown), flush=True)
            observe(value)


if __name__ == "__main__":
    main()

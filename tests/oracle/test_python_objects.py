"""Objects of the interpreters 3.9 to 3.14, read from another process, against their own repr."""

from __future__ import annotations

import array
import collections
import ctypes
import functools
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import types
import uuid
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.oracle.inspect_library import Library, Refused
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips

TARGET = r"""
import array, collections, ctypes, dataclasses, datetime, decimal, enum, fractions, functools, io, itertools, json
import math, tempfile, _thread, collections.abc, operator, os, time, typing, pathlib, re, sys, types, uuid, zoneinfo
import shutil
from datetime import timedelta, timezone
class Foo:
    def __init__(self): self.x, self.name, self.items = 1, "é", [1, 2]
class Slotted:
    __slots__ = ("a", "b")
    def __init__(self): self.a = "in a slot"
class Sub(dict): pass
class Own(dict):
    def __repr__(self): return "mine"
class Text(str): pass
class Number(int): pass
class Some(frozenset): pass
class Raw(bytearray): pass
class Wrong(ValueError):
    class Inner(KeyError): pass
class Told(Exception):
    def __repr__(self): return "told"
class Colour(enum.IntEnum):
    RED = 3
class Shape(enum.Enum):
    ROUND = "o"
class Access(enum.Flag):
    READ = 4
    WRITE = 2
@dataclasses.dataclass
class Item:
    name: str
    count: int = 2
    hidden: int = dataclasses.field(default=1, repr=False)
    loop: object = None
@dataclasses.dataclass
class Wider(Item):
    wide: bool = True
Point = collections.namedtuple("Point", "x y")
class Placed(Point): pass
numbers = [decimal.Decimal(t) for t in ("1.50", "0", "-0.000001", "1E-7", "123456789012345678901234567890.5", "1E+3",
    "-Infinity", "NaN", "sNaN12", "0E-9", "100", "12E1")]
times = [datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3, 4), datetime.datetime(1, 12, 31, 3, 4, 5, 678),
    datetime.datetime(2020, 1, 2, 3, 4, 0, 7, tzinfo=timezone.utc), datetime.time(1, 2), datetime.time(1, 2, 3, fold=1),
    datetime.time(1, tzinfo=timezone(timedelta(hours=-1), "x")), timedelta(0), timedelta(days=-3, microseconds=4),
    timezone.utc, timezone(timedelta(hours=1))]
class Outer:
    class Inner: pass
class Abstract(collections.abc.Sized): pass
class Queue(collections.deque): pass
class Ordered(collections.OrderedDict): pass
class Tally(collections.Counter): pass
class OwnTally(collections.Counter):
    def __repr__(self): return "tally"
class Partial(functools.partial): pass
class Bound:
    def method(self): pass
    @classmethod
    def made(cls): pass
def steps():
    yield 1
async def later(): pass
held = _thread.allocate_lock(); held.acquire()
waiting = later(); bound = Bound()
inside = collections.deque([1]); inside.append(inside)
turned = collections.deque(range(150)); turned.rotate(70)
moved = collections.OrderedDict(a=1, b=[2]); moved.move_to_end("a")
thinned = collections.OrderedDict((i, i) for i in range(30))
for i in range(0, 30, 3): del thinned[i]
library = [collections.deque(), collections.deque([1, 2, 3], maxlen=2), inside, turned, Queue("a"),
    collections.OrderedDict(), moved, thinned, Ordered(a=1), moved.keys(), moved.items(),
    {1: 2}.values(), {1: [2]}.items(),
    collections.Counter("abracadabra"), collections.Counter(), Tally("aab"), collections.Counter({"x": -1, "y": 2.5}),
    collections.ChainMap({1: 2}, {3: 4}), collections.UserDict(a=1), collections.UserList([1]),
    collections.UserString("x"), uuid.UUID(int=0x1234567890abcdef1234567890abcdef), uuid.UUID(int=5),
    functools.partial(int, "3", base=4), functools.partial(print), Partial(len, [1]),
    ctypes.c_int(-3), ctypes.c_double(2.5), ctypes.c_char(b"a"), ctypes.c_bool(True), ctypes.c_uint8(255),
    ctypes.c_longlong(-2**40), ctypes.c_float(0.1), ctypes.c_void_p(16), ctypes.c_void_p(), ctypes.c_char_p(),
    ctypes.c_char_p(b"abc"), ctypes.c_wchar("é"), ctypes.py_object([1]), ctypes.c_uint64(2**63),
    re.compile("a+"), re.compile(b"x", re.I | re.M), re.compile("é'", re.X), re.compile("a", re.A),
    re.compile("é" * 250, re.I),
    array.array("i", [1, -2]), array.array("d"), array.array("d", [1.5, 2]), array.array("f", [0.1]),
    array.array("B", [255]), array.array("q", [-2**62]),
    itertools.count(3), itertools.count(1, 2), itertools.count(0.5), itertools.count(0.5, 1.5), itertools.repeat(1),
    itertools.repeat("x", 3), operator.itemgetter(1), operator.itemgetter(1, "k"), _thread.allocate_lock(), held,
    time.gmtime(0), os.stat("/"), sys.version_info, sys.flags, sys.float_info,
    bound.method, Bound.made, steps(), (x for x in [1]), waiting,
    list.append, int.__add__, bound.__str__, int.from_bytes, dict.fromkeys, int.__dict__["real"],
    types.CellType(3), staticmethod(len), pathlib.PureWindowsPath("c:/x y"), zoneinfo.ZoneInfo("UTC"),
    datetime.datetime(2020, 1, 1, tzinfo=zoneinfo.ZoneInfo("UTC")),
    operator.attrgetter("a"), operator.attrgetter("a.b"), operator.attrgetter("é", "b.c"), operator.methodcaller("m"),
    operator.methodcaller("m", 1, [2], key="x")]
here = tempfile.mkdtemp()
files = [open(os.path.join(here, mode), mode) for mode in ("w", "xb", "a+", "w+b")]
files += [open(os.path.join(here, "w"), mode, **how) for mode, how in (
    ("r", {"encoding": "latin-1"}), ("rb", {}), ("r+b", {}), ("ab", {"buffering": 0}), ("rb", {"buffering": 0}))]
library += [*files, files[1].raw, files[3].raw, sys.stdout, sys.stdin.buffer, io.TextIOWrapper(io.BytesIO()),
    open(files[0].fileno(), "wb", buffering=0, closefd=False)]
closed = open(os.path.join(here, "w"), "rb", buffering=0); closed.close(); library.append(closed)
shutil.rmtree(here)
paths = ["/tmp/x y", "a/b.txt", ".", "", "/", "/tmp/é", "x'y", "a/../b"]  # none has been asked for its text yet
fresh = [[id(p), repr(pathlib.Path(str(t))), "path", p] for t in paths for p in [pathlib.Path(t)]]
below = pathlib.Path("/usr") / "b" / "c"
fresh.append([id(below), repr(pathlib.Path("/usr/b/c")), "path", below])
loop = [1]; loop.append(loop)
around = {"k": 1}; around["self"] = around
holes = {i: str(i) for i in range(40)}
for i in range(0, 40, 3): del holes[i]
late = Foo(); late.__dict__; late.y = 2.5
many = Foo(); many.__dict__.update({f"a{i}": i for i in range(50)})
values = [None, True, False, 0, 1, -1, 2**30, -2**30, 2**62 + 1, -2**200, 10**100, 1.5, -0.0, 1e300, float("nan"),
    1+2j, "", "abc", "é", "日本", "😀", "a'b\n\x00", b"", b"ab\xff", bytearray(b"xy"), [], [1, [2, "x"]], (), (1,),
    (1, (2, None)), set(), {1}, {"a"}, frozenset({2}), frozenset(), {}, {"a": 1, "b": [2]}, {1: "x", 2.5: None},
    holes, {i: i for i in range(200)}, {"k%d" % i: i for i in range(180)}, loop, around, int, Foo, Outer.Inner, ...,
    Foo(), Slotted(), Outer.Inner(), late, many, Sub(a=1), [Foo(), late], sys, len, math, json, os,
    types.ModuleType("bare"), Own(a=1), Text("t\\n"), Number(7), Some(), Some([2]), Raw(b'x'), Wrong("no", 1),
    Wrong.Inner("k"), ValueError(), KeyError("k"), Told(),
    Colour.RED, Shape.ROUND, Item("a"), Wider("b", loop=[1.5]), Point(1, "b"),
    Placed(2, None), *numbers,
    *times, fractions.Fraction(1, 3), range(3), range(2, -3, -1), range(2**70), slice(1),
    slice(None, None, -1), NotImplemented,
    types.SimpleNamespace(a=1, b="x"), types.MappingProxyType({1: 2}), {1: 2}.keys(),
    collections.defaultdict(list, a=[1]), collections.defaultdict(None), Foo.__init__, lambda: 1, "a".upper, [].append,
    collections.deque().append, Queue("b").append, Colour.mro, numbers[0].sqrt,
    memoryview(b"a"), Shape, Colour, enum.Flag, Abstract, Item, OwnTally("a"), *library,
    pathlib.PosixPath("/tmp/asked")]
if sys.version_info >= (3, 11): values += [Access.READ, Access(6), Access(0)]  # older ones keep no name of the last two
values += [typing.TypeVar("T"), typing.TypeVar("U", covariant=True), typing.TypeVar("V", contravariant=True)]
recursive = _thread.RLock(); recursive.acquire(); recursive.acquire()
values += [_thread.RLock(), recursive]
foo = Foo()
said = [[id(v), repr(v), type(v).__name__] for v in values]
print(json.dumps(said + [each[:3] for each in fresh] + [[id(foo), "", "json"], [id(late), "", "late"]]), flush=True)
sys.stdin.readline()
"""


@pytest.fixture(scope="module", params=all_or_skips())
def target(request: Any) -> Iterator[tuple[Library, list[Any]]]:
    python: Interpreter = request.param
    Library().close()  # skips the tests if there is no library
    process = subprocess.Popen(
        [python.path, "-c", TARGET], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stdin and process.stdout
    library = Library(pid=process.pid)
    try:
        yield library, json.loads(process.stdout.readline())
    finally:
        process.communicate("\n")
        library.close()


def test_repr(target: tuple[Library, list[Any]]) -> None:
    library, values = target
    wrong = []
    for address, expected, kind in values:
        if kind in ("json", "late"):
            continue
        shown = library.text("pyobject", address.to_bytes(8, "little"))
        if kind in ("Own", "Told", "OwnTally"):  # they have a repr() of their own, so their class and address are shown
            expected = f"<__main__.{kind} object at {address:#x}>"
        if shown != expected:
            wrong.append(f"{expected[:200]}\n    {shown[:200]}")
    assert not wrong, "\n".join(wrong)


NUMPY = r"""
import json, re, sys
import numba
import numpy as np
inner = np.dtype([("id", "u2"), ("xy", "f4", (2,))])
outer = np.dtype([("head", inner), ("rows", inner, (2,)), ("name", "S4"), ("uni", "U3"), ("z", "c8"), ("t", "M8[ms]")])
padded = np.dtype([("flag", "?"), ("value", "f8"), ("small", "i1")], align=True)
spread = np.dtype({"names": ["a", "b"], "formats": ["i4", "f8"], "offsets": [4, 16], "itemsize": 32})
records = np.zeros(2, outer)
records[0] = ((7, (1.5, -2.5)), [(1, (0, 1)), (2, (3, 4))], b"ab", "hé", 1 - 2j, "2020-02-03")
values = [*(np.dtype(t) for t in "i8 u1 ? f4 c8 S5 U7 M8[ns] m8[D] M8 O".split()), inner, outer, padded, spread,
    records, records[:1], np.zeros(1, padded), np.zeros(1, spread), np.array(["2020-01-01", "NaT"], "M8[D]"),
    np.array([3, 4], "m8[s]"), np.array([None, "x", 1.5, 2], dtype=object), np.array([None, [1]], dtype=object),
    np.array([], dtype=object), np.array(5, dtype=object), np.random.default_rng(1), np.random.RandomState(2),
    np.random.Generator(np.random.MT19937(1)), np.add, np.str_("x"), np.bytes_(b"y")]
class Sub(np.ndarray): pass
values += [np.matrix([[1, 2], [3, 4]]), np.arange(3.0).view(Sub), np.zeros((0, 2), "i2").view(Sub)]
mixed = np.dtype([("a", ">i2"), ("b", "<f4"), ("c", ">U2"), ("d", ">c8", (2,)), ("e", ">M8[D]")])
other = np.zeros(2, mixed)
other[0] = (300, 0.5, "a", [0, 1], "NaT")
other[1] = (258, 0.5, "hé", [1 + 2j, -1j], "2020-02-03")
values += [np.arange(3, dtype=">i4"), np.array([1.5, 1 / 3], ">f8")[::-1], np.array([[1 + 2j]], ">c16"), other,
    np.array(["ab", "é"], ">U3"), np.array(["2020-01-01", "NaT"], ">M8[s]"), np.array([5], ">m8[h]"), mixed,
    np.dtype(">i8"), np.dtype(">U4"), np.array([], ">u2"), np.array(7, ">u8"), np.arange(5, dtype=">f4")[1::2],
    np.array([1, 1 / np.longdouble(3), -0.0], np.longdouble), np.array([1e4000, np.longdouble("1e-4000")], "g"),
    np.datetime64("NaT"), np.timedelta64(5), np.timedelta64("NaT"), np.datetime64("2020-01", "3M"), numba.int64,
    numba.types.unicode_type, numba.typeof(1.5), np.timedelta64(-7, "25s"),
    np.array([np.nan, np.inf], "g"), np.array([1 / np.longdouble(3) + 2j], "G"), np.longdouble(1) / 3,
    np.clongdouble(1j) / 3, np.dtype("g"),
    np.array([123456789.123, 5], "g"), np.array([1e10, 1], "g"), np.longdouble("1e-4940"), np.array([0.5], ">f2")]
if np.__version__ >= "2":  # 1.x has other digits in its records
    values += [records[0], np.zeros(1, padded)[0], np.zeros(1, inner)[0]]
def shown(value):
    text = re.sub(r"^np\.void\((.*), dtype=.*\)$", r"\1", repr(value))
    text = re.sub(r"^np\.c?longdouble\((?:'([^']*)'|(.*))\)$", r"\1\2", text)
    text = re.sub(r"np\.(?:str_|bytes_)\((.*)\)", r"\1", text)
    return re.sub(r"\s+(?=[\],])|(?<=\[)\s+", "", re.sub(r"\s+", " ", text))
print(json.dumps([[id(v), shown(v)] for v in values]), flush=True)
sys.stdin.readline()
"""


def test_numpy() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", NUMPY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        assert process.stdin and process.stdout
        library = Library(pid=process.pid)
        pairs = [
            (expected, library.text("pyobject", address.to_bytes(8, "little")))
            for address, expected in json.loads(process.stdout.readline())
        ]
        process.communicate("\n")
        library.close()
    wrong = [f"{expected}\n    {shown}" for expected, shown in pairs if shown != expected]
    assert not wrong, "\n".join(wrong)


def test_attributes(target: tuple[Library, list[Any]]) -> None:
    library, values = target
    address = {kind: address for address, _, kind in values}
    shown, exact = library.json("pyobject", address["json"].to_bytes(8, "little"))
    items = {"list": [1, 2], "length": 2}
    assert shown == {"class": "__main__.Foo", "attributes": {"x": 1, "name": "é", "items": items}} and exact
    shown, _ = library.json("pyobject", address["late"].to_bytes(8, "little"))
    assert shown["attributes"] == {"x": 1, "name": "é", "items": items, "y": 2.5}
    late = address["late"].to_bytes(8, "little")
    for path, expected in ((".name", "'é'"), (".items[-1]", "2"), (".y", "2.5")):
        assert library.text("pyobject", late, path) == expected
    assert library.text("pyobject", address["Slotted"].to_bytes(8, "little"), ".a") == "'in a slot'"
    table = next(address for address, text, kind in values if text.startswith("{'a': 1, 'b'")).to_bytes(8, "little")
    assert library.text("pyobject", table, "['b'][0]") == "2"
    for contents, path, error in (
        (late, ".z", "AttributeError: '__main__.Foo' object has no attribute 'z' of its own"),
        (late, ".items[2]", "IndexError: list index out of range"),
        (table, "['z']", "KeyError: 'z'"),
        (table, "[3]", "KeyError: 3"),
    ):
        with pytest.raises(Refused, match=re.escape(error)):
            library.text("pyobject", contents, path)


def test_what_is_no_object(target: tuple[Library, list[Any]]) -> None:
    library, values = target
    number = next(address for address, text, _ in values if text == str(10**100))  # its length is after its type
    for address in (8, 0x7FFF00000000, number + 8, number + 4):
        assert library.text("pyobject", address.to_bytes(8, "little")) == f"<pyobject at {address:#x}>"
    assert library.text("pyobject", bytes(8)) == "<unknown: no object (NULL)>"


def test_builtin_methods_of_classes_in_modules() -> None:
    """The class is written with its module if it is not made by Python code, as in Python."""
    library, numbers = Library(), np.zeros(2)
    for method, name in ((numbers.sum, "numpy.ndarray"), (collections.deque().append, "collections.deque")):
        shown = library.text("pyobject", id(method).to_bytes(8, "little"))
        address = f"{id(method.__self__):#x}"
        assert shown == repr(method) == f"<built-in method {method.__name__} of {name} object at {address}>"
    library.close()


def test_a_number_whose_digits_are_gone() -> None:
    number = 10**40
    digits = id(number) + 24

    def read(_: Any, address: int, buffer: int, size: int) -> int:
        if address <= digits < address + size:
            return -2
        ctypes.memmove(buffer, address, size)
        return 0

    holder = [number]
    shown, exact = Library(read=read).json("pyobject", id(holder).to_bytes(8, "little"))
    assert not exact and shown == {"list": [f"<unreadable: {digits:#x} (20 bytes)>"], "length": 1}


def test_damaged_objects() -> None:
    """Bytes of live objects are read wrong: nothing crashes, reads too much, or goes on without end."""
    chance = random.Random(7)
    damage, asked = 0.0, 0
    memory = os.open("/proc/self/mem", os.O_RDONLY)

    def read(_: Any, address: int, buffer: int, size: int) -> int:
        nonlocal asked
        asked += size
        try:
            data = bytearray(os.pread(memory, size, address))
        except (OSError, OverflowError):
            return -2
        if len(data) < size:
            return -2
        if chance.random() < damage and size:
            data[chance.randrange(size)] = chance.randrange(256)
        ctypes.memmove(buffer, bytes(data), size)
        return 0

    library = Library(read=read)
    loop: list[Any] = [1, "x", {"k": [2.5, {3}]}, (None, b"y", 10**40)]
    loop.append(loop)
    holder = types.SimpleNamespace(a=loop, b={i: str(i) for i in range(30)})
    record = np.zeros(2, [("a", "i4"), ("b", [("x", "f8", (2,)), ("t", "M8[s]")]), ("o", "O")])
    values = [loop, holder, {"loop": loop, "holder": holder}, frozenset({"a", 1}), "text", 2**70]
    values += [collections.deque(range(100)), collections.OrderedDict(a=1, b=loop), collections.Counter("abca")]
    values += [collections.OrderedDict(a=1).items(), pathlib.Path("a/b"), uuid.UUID(int=7), re.compile("a", re.I)]
    values += [functools.partial(print, 1, end=""), ctypes.c_int(3), array.array("d", [1.5]), loop.append, record]
    values += [record.dtype, record[0], np.random.default_rng(1), itertools.count(0.5, 2), collections.UserDict(a=1)]
    for round_ in range(3000):
        damage = (0.02, 0.1, 0.5)[round_ % 3]
        asked = 0
        contents = id(values[round_ % len(values)]).to_bytes(8, "little")
        library.text("pyobject", contents)
        library.json("pyobject", contents)
        assert asked < 32 << 20
    library.close()
    os.close(memory)

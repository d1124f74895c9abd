"""Values that real Numba code has in memory, rendered, against Python's and NumPy's own repr."""
# ruff: noqa: E501 (tables)

from __future__ import annotations

import collections
import ctypes
import datetime
import enum
import math
import re
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import typeof

from tests.oracle.held import held, keep_optional
from tests.oracle.inspect_library import Library, Refused

NUMPY = tuple(map(int, np.__version__.split(".")[:2]))

Point = collections.namedtuple("Point", "x y")
Single = collections.namedtuple("Single", "x")


class Color(enum.IntEnum):
    RED = 1
    BLUE = 2


@pytest.fixture(scope="module")
def library() -> Any:
    lib = Library()
    lib.set_fields("Point", ["x", "y"])
    lib.set_fields("Single", ["x"])
    yield lib
    lib.close()


PLAIN = np.dtype([("a", "i8"), ("b", "f8")])
NESTED = np.dtype([("p", PLAIN), ("m", "f4", (2, 2)), ("s", "S3"), ("u", "U2"), ("t", "?")])
records = np.array([(1, 2.5), (3, 4.0)], PLAIN)
nested = np.array([((1, 2.5), [[1, 2], [3, 4]], b"ab", "xé", True)], NESTED)

SCALARS: list[tuple[Any, str]] = [
    (True, "True"), (False, "False"), (0, "0"), (-5, "-5"), (2**63 - 1, str(2**63 - 1)), (-(2**63), str(-(2**63))),
    (np.uint64(2**64 - 1), str(2**64 - 1)), (np.int8(-128), "-128"), (np.uint8(255), "255"), (np.int16(-2), "-2"),
    (1.5, "1.5"), (0.1, "0.1"), (-0.0, "-0.0"), (1e300, "1e+300"), (math.nan, "nan"), (-math.inf, "-inf"),
    (np.float32(0.1), "0.1"), (np.float32(16777216), "16777216.0"), (1 + 2j, "(1+2j)"), (2j, "2j"),
    (complex(-0.0, 2), "(-0+2j)"), (complex(1, -0.5), "(1-0.5j)"), (np.complex64(0.1 + 0.2j), "(0.1+0.2j)"),
    (None, "None"), ("", "''"), ("abc", "'abc'"), ("é", "'é'"), ("a'b", '"a\'b"'), ("日本", "'日本'"),
    ("😀", "'😀'"), ("\ud800", "'\\ud800'"), ("\x00\n\x7f\u200b", repr("\x00\n\x7f\u200b")), ('\'"', repr('\'"')),
    (b"ab\xff", "b'ab\\xff'"), (b"", "b''"), (bytearray(b"x'"), repr(bytearray(b"x'"))),
    ((1, 2.5), "(1, 2.5)"), ((1,), "(1,)"), ((), "()"), ((1, (2, "x")), "(1, (2, 'x'))"), ((True, False), "(True, False)"),
    ((np.int8(1), 2, True), "(1, 2, True)"), ((None, 1), "(None, 1)"), (Point(1, 2), "Point(x=1, y=2)"),
    (Point(1, 2.5), "Point(x=1, y=2.5)"), (Single(True), "Single(x=True)"), (Color.BLUE, "<Color: 2>"),
    (np.datetime64("2020-01-01"), "np.datetime64('2020-01-01')"), (np.datetime64("NaT"), "np.datetime64('NaT','generic')"),
    (np.timedelta64(3, "ns"), "np.timedelta64(3,'ns')"), (np.timedelta64(3), "np.timedelta64(3)"),
    (np.timedelta64("NaT", "D"), "np.timedelta64('NaT','D')"), (records[0], "(1, 2.5)"),
    (nested[0], "((1, 2.5), [[1.0, 2.0], [3.0, 4.0]], b'ab', 'xé', True)"), (slice(1, 2), "slice(1, 2, None)"),
    ((np.arange(2), "x"), "(array([0, 1]), 'x')"), (NESTED, repr(NESTED)),
]  # fmt: skip


@pytest.mark.parametrize(("value", "expected"), SCALARS, ids=lambda x: ascii(x)[:40])
def test_text(library: Library, value: Any, expected: str) -> None:
    name, contents, storage = held(value)
    assert library.text(name, contents) == expected
    assert library.text(name, contents, storage=storage) == expected


JSON: list[tuple[Any, Any]] = [
    (True, True), (3, 3), (-(2**63), -(2**63)), (1.5, 1.5), (math.inf, "inf"), (-math.inf, "-inf"), (math.nan, "nan"),
    (1 + 2j, {"re": 1.0, "im": 2.0}), (None, None), ("aé\n\"😀\ud800", "aé\n\"😀\ud800"), (b"ab", "b'ab'"),
    ((1, "x", 2.5), {"tuple": [1, "x", 2.5]}), (Point(1, 2), {"tuple": [1, 2]}), (Color.RED, "<Color: 1>"),
    (np.arange(6).reshape(2, 3), {"shape": [2, 3], "data": [0, 1, 2, 3, 4, 5]}),
    (np.arange(6).reshape(2, 3).T, {"shape": [3, 2], "data": [0, 3, 1, 4, 2, 5]}),
    (np.zeros((0, 3)), {"shape": [0, 3], "data": []}), (np.array(7), {"shape": [], "data": [7]}),
    (np.arange(1000), {"shape": [1000], "data": list(range(64))}), (records, {"shape": [2], "data": [{"tuple": [1, 2.5]}, {"tuple": [3, 4.0]}]}),
    (np.array([np.nan, 1]), {"shape": [2], "data": ["nan", 1.0]}), (np.float32(0.1), float(np.float32(0.1))),
    (records[1], {"tuple": [3, 4.0]}), (np.array(["a", "bc"]), {"shape": [2], "data": ["a", "bc"]}),
]  # fmt: skip


@pytest.mark.parametrize(("value", "expected"), JSON, ids=lambda x: ascii(x)[:40])
def test_json(library: Library, value: Any, expected: Any) -> None:
    name, contents, _ = held(value)
    assert library.json(name, contents) == (expected, True)


def test_optional(library: Library) -> None:
    size = 16
    room = ctypes.create_string_buffer(size)
    for is_none, expected in [(False, "5"), (True, "None")]:
        keep_optional(5, is_none, np.uintp(ctypes.addressof(room)))
        assert library.text("OptionalType(int64)", room.raw[:size]) == expected
    assert library.text("OptionalType(int64)", b"\x05" + b"\0" * 7 + b"\x95" * 8) == "<unknown: valid flag is 149>"


def test_a_record_in_a_tuple(library: Library) -> None:
    """It is a pointer, as every record variable is (stock Numba crashes when it unboxes such a tuple)."""
    contents = struct.pack("<Qq", records.ctypes.data, 7)
    assert library.text(f"Tuple({typeof(records[0])}, int64)", contents) == "((1, 2.5), 7)"
    assert library.text(f"Tuple({typeof(records[0])}, int64)", contents, "[0].b") == "2.5"


def test_fixed_length_characters(library: Library) -> None:
    assert library.text("[char x 4]", b"ab\0\0") == "b'ab'"
    assert library.text("[unichr x 3]", "aé\0".encode("utf-32-le")) == "'aé'"
    assert library.json("[unichr x 3]", "aé\0".encode("utf-32-le")) == ("aé", True)


def test_literals(library: Library) -> None:
    assert library.text("Literal[int](-3)", bytes(8)) == "-3"
    assert library.text("Literal[str](it's, (x)", bytes(8)) == '"it\'s, (x"'
    assert library.text("omitted(default=2.5)", b"") == "2.5"
    assert library.text("Tuple(Literal[str](a), Literal[int](3))", bytes(16)) == "('a', 3)"
    assert library.json("Literal[int](3)", bytes(8)) == (3, True)
    assert library.text("type(CPUDispatcher(<function f at 0x7f>))", bytes(8)) == "CPUDispatcher(<function f at 0x7f>)"


DATE_UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"]


@given(st.sampled_from(DATE_UNITS), st.integers(-(2**63) + 1, 2**63 - 1) | st.integers(-(10**6), 10**6))
@settings(max_examples=1500, deadline=None)
def test_dates(library: Library, unit: str, value: int) -> None:
    years = {"Y": 1, "M": 12, "W": 52, "D": 366, "h": 8784, "m": 527040}.get(unit)
    if years and abs(value) // years > 10**8:
        value %= years * 10**8  # NumPy's own arithmetic overflows beyond this
    text = library.text(f"datetime64[{unit}]", struct.pack("<q", value))
    assert text == repr(np.datetime64(value, unit)).replace("numpy.", "np.", 1)


@given(st.floats(width=64), st.booleans())
def test_floats(library: Library, value: float, single: bool) -> None:
    if single:
        with np.errstate(over="ignore"):
            narrow = np.float32(value)
        text = library.text("float32", struct.pack("<f", narrow))
        assert np.float32(float(text)).tobytes() == narrow.tobytes() or np.isnan(narrow)
        digits = re.sub(r"[eE].*|[-.]", "", str(narrow)).strip("0")
        assert re.sub(r"[eE].*|[-.]", "", text).strip("0") == digits
    else:
        assert library.text("float64", struct.pack("<d", value)) == repr(value)


def test_powers_of_two(library: Library) -> None:
    """The shortest digits are not the nearest if the next double below is half as far as the one above."""
    for power in range(-1074, 1024):
        assert library.text("float64", struct.pack("<d", 2.0**power)) == repr(2.0**power)
    for power in range(-149, 128):
        value = np.float32(2.0**power)
        shown = library.text("float32", struct.pack("<f", value))
        assert float(shown) == float(str(value)), power


def test_every_half(library: Library) -> None:
    values = np.arange(2**16, dtype="u2").view("f2")
    texts = library.text(
        "array(float16, 1d, C)", describe(values), elements=0, repeats=0, max_bytes=1 << 20, digits=True
    )
    mine = texts[len("array([") : -len("], dtype=float16)")].split(", ")
    for value, text in zip(values, mine):
        if not np.isnan(value):
            assert np.float16(float(text)) == value
            assert float(text) == float(str(value)), text


@given(st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_strings(library: Library, value: str) -> None:
    name, contents, _ = held(value)
    shown = library.text(name, contents)
    assert shown == (repr(value) if len(value) <= 200 else repr(value[:200]) + "...")
    assert library.json(name, contents) == (value, True)


@given(st.binary(max_size=100))
@settings(deadline=None)
def test_bytes(library: Library, value: bytes) -> None:
    name, contents, _ = held(value)
    assert library.text(name, contents) == repr(value)


# ---- arrays ----


def describe(array: np.ndarray[Any, Any], data: int | None = None) -> bytes:
    """Return the descriptor that Numba makes of an array (numba/_arraystruct.h)."""
    head = struct.pack("<QQqqQ", 0, 0, array.size, array.itemsize, array.ctypes.data if data is None else data)
    return head + struct.pack(f"<{2 * array.ndim}q", *array.shape, *array.strides)


DTYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16", "?", "U3", "S4"]
DTYPES += [
    "M8[D]",
    "M8[ns]",
    "m8[s]",
    "m8",
    "i2,f8,S3",
    PLAIN,
    NESTED,
    np.dtype([("a", "i1"), ("b", "f8")], align=True),
]


@st.composite
def arrays(draw: Any) -> np.ndarray[Any, Any]:
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    shape = tuple(draw(st.lists(st.integers(0, 4), max_size=3)))
    size = math.prod(shape)
    raw = bytearray(draw(st.binary(min_size=size * dtype.itemsize, max_size=size * dtype.itemsize)))
    base = np.frombuffer(bytes(raw) or b"\0" * dtype.itemsize, dtype="u1")
    if dtype.kind == "U":
        array = np.array(draw(st.lists(st.text(max_size=3), min_size=size, max_size=size)), dtype).reshape(shape)
    elif dtype.kind == "b" or dtype == NESTED:
        array = np.zeros(size, dtype)
        array.view("u1")[...] = base[: array.nbytes] & 1
        if dtype == NESTED:
            array["u"], array["m"] = "xé", 0.5
        array = array.reshape(shape)
    else:
        array = base[: size * dtype.itemsize].view(dtype).reshape(shape).copy()
    array = np.asarray(array, order=draw(st.sampled_from("CF")))
    for axis in range(array.ndim):
        step = draw(st.sampled_from([1, 1, 2, -1, -2]))
        array = array[(slice(None),) * axis + (slice(None, None, step),)]
    if draw(st.booleans()):
        array = array.T
    if draw(st.integers(0, 4)) == 0:
        array = np.broadcast_to(array, (2, *array.shape))
    return array


NAMES = {"array": np.array, "nan": math.nan, "inf": math.inf, "nanj": complex(0, math.nan)}
NAMES |= {"infj": complex(0, math.inf), "bool": np.bool_}
NAMES |= {n: getattr(np, n) for n in "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()}
NAMES |= {"complex64": np.complex64, "complex128": np.complex128}

TOKEN = re.compile(r"b?'(?:[^'\\]|\\.)*'|b?\"(?:[^\"\\]|\\.)*\"|[-+]?(?:[0-9.]+(?:e[-+]?\d+)?|nan|inf)j?|\w+|[^\s]")


def tokens(text: str, is_single: bool = False) -> list[Any]:
    """Return the text's tokens, with numbers as numbers, because NumPy pads digits so that columns align."""
    found: list[Any] = []
    for token in TOKEN.findall(text):
        try:
            found.append(np.complex64(complex(token)) if is_single else complex(token))
        except ValueError:
            found.append(token)
    return [repr(token) for token in found]


@given(arrays())
@settings(max_examples=1500, deadline=None)
def test_arrays(library: Library, array: np.ndarray[Any, Any]) -> None:
    name = str(typeof(array))
    text = library.text(name, describe(array), elements=0, repeats=0, digits=True)
    with np.printoptions(threshold=10**9, linewidth=10**9):
        written = repr(array)
        with np.printoptions(floatmode="unique"):
            expected = repr(array)
    if NUMPY >= (2, 3):  # before 2.3, float32 was written with exponents from other numbers on
        short = library.text(name, describe(array), elements=0, repeats=0)
        assert "".join(short.split()).partition("dtype=")[0] == "".join(written.split()).partition("dtype=")[0]
    if array.dtype.names is None:
        is_single = array.dtype.char in "fF"
        assert tokens(text, is_single) == tokens(expected, is_single)
    else:  # NumPy writes a record's alignment in its own way
        assert tokens(text.partition("dtype=")[0]) == tokens(expected.partition("dtype=")[0])
    if array.dtype.kind not in "MmV" and array.size:
        again = eval(text, {"__builtins__": {}}, NAMES)
        assert again.dtype == array.dtype or array.dtype.kind in "US"
        assert again.shape == array.shape
        assert np.array_equal(again, array, equal_nan=array.dtype.kind in "fc")
    value, exact = library.json(name, describe(array))
    assert exact
    assert value["shape"] == list(array.shape)
    if array.dtype.kind in "iub":
        assert value["data"] == array.ravel().tolist()[:64]


ODD = [
    [("it's", "f8"), ('say "it\'s"', "i4"), ("back\\s", "i2"), ("tab\t", "i2")],
    [("first", "f8", (2, 0)), ("n", "i4")],
    [("n", "i4"), ("rows", "c16", (1, 2, 0, 3))],
    [("inner", [("bare", "i2", (0,)), ("it's", "?")])],
    {"names": ["high", "low", "part"], "formats": ["u4", "u2", "u1"], "offsets": [0, 0, 1], "itemsize": 9},
    {"names": ["a", "b"], "formats": [("i2", (2,)), "i4"], "offsets": [0, 2]},
]


@pytest.mark.parametrize("given", ODD, ids=str)
def test_records_with_odd_fields(library: Library, given: Any) -> None:
    dtype = np.dtype(given)
    array = np.frombuffer(bytes(k % 2 for k in range(3 * dtype.itemsize)), dtype)

    def squeezed(text: str) -> str:
        return "".join(text.split())

    with np.printoptions(linewidth=10**9):
        text = library.text(str(typeof(array)), describe(array))
        assert squeezed(text) == squeezed(repr(array))
        text = library.text(str(typeof(array[0])), struct.pack("<Q", array.ctypes.data))
        assert squeezed(text) == squeezed(str(array[0]))
        assert library.text(str(typeof(array)), describe(array), ".dtype") == repr(dtype)


def test_many_rows_without_elements(library: Library) -> None:
    array = np.zeros(1, [("rows", "f8", (3000, 0))])
    text = library.text(str(typeof(array)), describe(array), elements=4)
    assert text.startswith("array([([[], [], [], [], [], ...],)], dtype="), text


@given(arrays(), st.data())
@settings(max_examples=1000, deadline=None)
def test_subscripts(library: Library, array: np.ndarray[Any, Any], data: Any) -> None:
    bound = st.none() | st.integers(-6, 6)
    step = st.none() | st.sampled_from([-3, -2, -1, 1, 2, 3])
    items: list[Any] = data.draw(
        st.lists(st.integers(-5, 5) | st.builds(slice, bound, bound, step), min_size=1, max_size=array.ndim + 1)
    )
    if data.draw(st.integers(0, 3)) == 0:
        items.insert(data.draw(st.integers(0, len(items))), Ellipsis)

    def write(item: Any) -> str:
        if item is Ellipsis:
            return "..."
        if isinstance(item, slice):
            parts = ["" if x is None else str(x) for x in (item.start, item.stop, item.step)]
            return ":".join(parts)
        return str(item)

    path = "[" + ", ".join(map(write, items)) + "]"
    name, contents = str(typeof(array)), describe(array)
    try:
        expected = array[tuple(items)]
    except IndexError as error:
        with pytest.raises(Refused, match="^" + re.escape(f"IndexError: {error}") + "$"):
            library.text(name, contents, path)
        return
    if isinstance(expected, np.ndarray):
        whole = library.text(str(typeof(expected)), describe(expected), elements=0, repeats=0)
        assert library.text(name, contents, path, elements=0, repeats=0) == whole
    else:
        value, exact = library.json(name, contents, path)
        assert exact
        if array.dtype.kind in "iub":
            assert value == expected.item()
        if array.dtype.kind == "U":
            assert value == str(expected)


@pytest.mark.parametrize("dtype", [d for d in DTYPES if np.dtype(d).names is None])
def test_dtype(library: Library, dtype: str) -> None:
    array = np.zeros(2, dtype)
    assert library.text(str(typeof(array)), describe(array), ".dtype") == repr(array.dtype)


TURNED = np.arange(24, dtype="i4").reshape(2, 3, 4)[:, ::-1]
COMPLEX = np.array([1 + 2j, 3 - 4j])


@pytest.mark.parametrize(
    "path",
    [".shape", ".strides", ".size", ".ndim", ".itemsize", ".nbytes", ".T.shape", ".T[1, 2, 0]", "[1].shape"],
)
def test_attributes_of_an_array(library: Library, path: str) -> None:
    assert library.text(str(typeof(TURNED)), describe(TURNED), path) == str(eval("TURNED" + path))


@pytest.mark.parametrize(
    ("array", "path", "expected"),
    [
        (TURNED, ".dtype", "dtype('int32')"),
        (TURNED, ".data", f"(int32*) {TURNED.ctypes.data:#x}"),
        (COMPLEX, ".imag", "array([2., -4.])"),
        (COMPLEX, "[1].imag", "-4.0"),
        (COMPLEX, ".dtype", "dtype('complex128')"),
        (records, ".b", "array([2.5, 4.])"),
        (records, "['b']", "array([2.5, 4.])"),
        (records, "[1].a", "3"),
        (records, "[1]['a']", "3"),
        (records, "[1][0]", "3"),
        (records, ".dtype", "dtype([('a', '<i8'), ('b', '<f8')])"),
        (nested, "[0].m[1, 0]", "3.0"),
        (nested, "['m'][0, :, 1]", "array([2., 4.], dtype=float32)"),
        (nested, "['p']['b']", "array([2.5])"),
        (nested, "[0].u[1]", "'é'"),
    ],
    ids=lambda x: x if isinstance(x, str) and x[:1] in ".[" else "",
)
def test_attributes_and_fields(library: Library, array: np.ndarray[Any, Any], path: str, expected: str) -> None:
    assert library.text(str(typeof(array)), describe(array), path) == expected


@pytest.mark.parametrize(
    ("value", "path", "expected"),
    [
        ((1, 2.5, "x"), "[-1]", "'x'"), ((1, 2.5, "x"), "[1:]", "(2.5, 'x')"), ((1, 2.5, "x"), "[::-1]", "('x', 2.5, 1)"),
        (Point(1, 2.5), ".y", "2.5"), (Point(1, (2, 3)), ".y[0]", "2"), ("héllo", "[1]", "'é'"), ("hello", "[-1]", "'o'"),
        ("hello", "[1:4:2]", "'el'"), ("hello", "[::-1]", "'olleh'"), ("a\0b", "[:2]", "'a\\x00'"), ("hello", "[3:1]", "''"),
        (b"abc", "[1]", "98"), (b"abcd", "[::-2]", "b'db'"), (1 + 2j, ".real", "1.0"), (records[0], ".b", "2.5"),
        (records[0], "['a']", "1"), ((np.arange(5), 1), "[0][1:3]", "array([1, 2])"), (slice(1, 7), ".stop", "7"),
        (Color.RED, ".value", "1"),
    ],
)  # fmt: skip
def test_paths(library: Library, value: Any, path: str, expected: str) -> None:
    name, contents, storage = held(value)
    assert library.text(name, contents, path, storage) == expected


@pytest.mark.parametrize(
    ("value", "path", "reason"),
    [
        ((1, 2), "[2]", "IndexError: tuple index out of range"), ("abc", "[3]", "IndexError: string index out of range"),
        (np.arange(10), "[12]", "IndexError: index 12 is out of bounds for axis 0 with size 10"),
        (5, "[0]", "TypeError: 'int' object is not subscriptable"), (5, ".x", "AttributeError: 'int' object has no attribute 'x'"),
        (Point(1, 2), ".z", "AttributeError: 'Point' object has no attribute 'z'"), (1.5, "[0]", "TypeError: 'float' object is not subscriptable"),
        (np.arange(3), ".foo", "AttributeError: 'numpy.ndarray' object has no attribute 'foo'"),
        (np.arange(3), "[::0]", "ValueError: slice step cannot be zero"), (np.arange(3), "[", "SyntaxError: invalid syntax: ["),
        (np.arange(3), "[1", "SyntaxError: invalid syntax: [1"), (np.arange(3), "!", "SyntaxError: invalid syntax: !"),
        (np.arange(3), "['x']", "IndexError: only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices"),
        (records, "['z']", "ValueError: no field of name z"), (None, ".x", "AttributeError: 'NoneType' object has no attribute 'x'"),
    ],
)  # fmt: skip
def test_refusals(library: Library, value: Any, path: str, reason: str) -> None:
    name, contents, storage = held(value)
    with pytest.raises(Refused, match="^" + re.escape(reason) + "$"):
        library.text(name, contents, path, storage)


# ---- limits ----


def test_limits(library: Library) -> None:
    a = np.arange(300)
    args = (str(typeof(a)), describe(a))
    assert library.text(*args, elements=3) == "array([0, 1, 2, ...])"
    assert library.text(*args, elements=0, max_bytes=32) == "array([0, 1, 2, 3, ...])"
    z = np.zeros(300)
    assert library.text(str(typeof(z)), describe(z)) == "array([0. <repeats 200 times>, ...])"
    assert library.text(str(typeof(z)), describe(z), elements=0) == "array([0. <repeats 300 times>])"
    m = np.zeros((3, 12), "i4")
    assert library.text(str(typeof(m)), describe(m), elements=14) == (
        "array([[0 <repeats 12 times>], [0, 0, ...], ...], dtype=int32)"
    )
    assert library.text(str(typeof(m)), describe(m), summary=True) == "array(int32, shape=(3, 12))"
    assert library.text(str(typeof(records)), describe(records), summary=True) == "array(record, shape=(2,))"
    deep = ((((1,), 2), 3), 4)
    assert library.text(held(deep)[0], held(deep)[1], depth=2) == "(({...}, 3), 4)"
    long = "x" * 1000
    assert library.text(held(long)[0], held(long)[1], elements=5) == "'xxxxx'..."


def test_work_is_proportional_to_what_is_shown() -> None:
    library = Library()
    try:
        flat = np.zeros(10**7)
        library.text(str(typeof(flat)), describe(flat))
        assert library.wanted() <= 200 * 8
        wide = np.lib.stride_tricks.as_strided(np.zeros(4), (1000, 1000), (0, 8 * 0))
        before = library.wanted()
        library.text(str(typeof(wide)), describe(wide))
        assert library.wanted() - before <= 200 * 8
        huge = np.empty((200, 10**6))  # never touched, and so without memory
        column = huge[:, ::999_999]
        before = library.wanted()
        library.text(str(typeof(column)), describe(column))
        assert library.wanted() - before <= 64 * 1024
        library.json(str(typeof(column)), describe(column))
        assert library.wanted() - before <= 64 * 1024
    finally:
        library.close()


# ---- hostile ----


def array_bytes(nitems: int, itemsize: int, data: int, shape: list[int], strides: list[int]) -> bytes:
    return struct.pack("<QQqqQ", 0xDE, 0xDE, nitems, itemsize, data) + struct.pack(
        f"<{2 * len(shape)}q", *shape, *strides
    )


real = np.arange(10.0)
HOSTILE: list[tuple[bytes, str]] = [
    (bytes(56), "<unknown: empty array descriptor>"),
    (array_bytes(10**18, 8, real.ctypes.data, [10**18], [8]), "<unknown: shape (1000000000000000000,) × 8 bytes is outside the address space>"),
    (array_bytes(-1, 8, real.ctypes.data, [-1], [8]), "<unknown: negative length in shape (-1,)>"),
    (array_bytes(5, 8, real.ctypes.data, [10], [8]), "<unknown: shape (10,) does not have nitems = 5>"),
    (array_bytes(10, 4, real.ctypes.data, [10], [8]), "<unknown: itemsize 4, but a float64 has 8>"),
    (array_bytes(10, 8, 0, [10], [8]), "<unknown: data is NULL, shape (10,)>"),
    (array_bytes(10, 8, real.ctypes.data, [10], [2**62]), "<unknown: shape (10,) × 8 bytes is outside the address space>"),
    (array_bytes(10, 8, real.ctypes.data, [10], [-(2**63)]), "<unknown: shape (10,) × 8 bytes is outside the address space>"),
    (array_bytes(10, 8, real.ctypes.data, [10], [16]), "<unknown: strides (16,) are not C order>"),
    (array_bytes(10, 8, 0x10, [10], [8]), "<unreadable: 0x10 (80 bytes)>"),
    (b"\xcb" * 56, "<unknown: negative length in shape (-3761688987579986997,)>"),
    (b"\xff" * 56, "<unknown: negative length in shape (-1,)>"),
]  # fmt: skip


@pytest.mark.parametrize(("contents", "expected"), HOSTILE, ids=[label[:40] for _, label in HOSTILE])
def test_hostile_arrays(library: Library, contents: bytes, expected: str) -> None:
    assert library.text("array(float64, 1d, C)", contents) == expected
    assert library.text("array(float64, 1d, C)", contents, summary=True) == (
        expected if "unreadable" not in expected else "array(float64, shape=(10,))"
    )
    assert library.json("array(float64, 1d, C)", contents) == (expected, False)
    if "unreadable" not in expected:
        with pytest.raises(Refused):
            library.text("array(float64, 1d, C)", contents, "[0]")


def test_hostile_shapes(library: Library) -> None:
    big = array_bytes(0, 8, 0x1000, [2**62, 2**62, 4], [8, 8, 8])
    assert library.text("array(float64, 3d, A)", big).endswith("overflows>")
    empty = array_bytes(0, 8, 0, [2**62, 2**62, 0], [8, 8, 8])
    assert library.text("array(float64, 3d, A)", empty).startswith("array([], shape=")
    repeated = array_bytes(10**18, 8, real.ctypes.data, [10**18], [0])
    assert library.text("array(float64, 1d, A)", repeated) == "array([0. <repeats 200 times>, ...])"


def test_hostile_strings(library: Library) -> None:
    def unicode(data: int, length: int, kind: int, ascii_flag: int = 1) -> bytes:
        return struct.pack("<QqIIqQQ", data, length, kind, ascii_flag, -1, 0, 0)

    room = ctypes.create_string_buffer(b"\xff" * 64)
    address = ctypes.addressof(room)
    for contents, expected in [
        (bytes(48), "<unknown: empty string descriptor>"),
        (unicode(address, -1, 1), "<unknown: string length -1>"),
        (unicode(address, 5, 3), "<unknown: string kind 3>"),
        (unicode(address, 5, 1, 7), "<unknown: is_ascii flag 7>"),
        (unicode(0, 5, 1), "<unknown: string data is NULL>"),
        (unicode(0x10, 5, 1), "<unreadable: 0x10 (5 bytes)>"),
        (unicode(address, 2**62, 4), f"<unknown: string length {2**62} is outside the address space>"),
        (unicode(address, 4, 4, 0), "<unknown: character 0xffffffff>"),
    ]:
        assert library.text("unicode_type", contents) == expected
        assert library.json("unicode_type", contents) == (expected, False)


def test_partly_unmapped(library: Library) -> None:
    """The readable start is shown, then the place where it ends."""
    import mmap

    page = mmap.PAGESIZE
    area = mmap.mmap(-1, 2 * page)
    address = ctypes.addressof(ctypes.c_char.from_buffer(area))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    hole = ctypes.CDLL(None).mmap
    hole.restype = ctypes.c_void_p
    hole.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    start = hole(None, 2 * page, 3, 0x22, -1, 0)
    assert libc.munmap(start + page, page) == 0
    contents = array_bytes(10, 8, start + page - 24, [10], [8])
    shown = library.text("array(int64, 1d, C)", contents)
    assert shown == f"array([0, 0, 0, <unreadable: {start + page:#x} (56 bytes)>])"
    value, exact = library.json("array(int64, 1d, C)", contents)
    assert (value, exact) == ({"shape": [10], "data": [0, 0, 0]}, False)
    libc.munmap(start, page)
    assert address


def test_a_reader_that_fails() -> None:
    library = Library(read=lambda context, address, buffer, size: -2)
    try:
        assert (
            library.text("array(int64, 1d, C)", array_bytes(3, 8, 0x5000, [3], [8]))
            == "<unreadable: 0x5000 (24 bytes)>"
        )
        name = str(typeof(records[0]))
        assert library.text(name, struct.pack("<Q", 0x5000)) == "<unreadable: 0x5000 (16 bytes)>"
        assert library.text(name, bytes(8)) == "<unknown: record pointer is NULL>"
        with pytest.raises(Refused, match="unreadable"):
            library.text(name, struct.pack("<Q", 0x5000), ".a")
    finally:
        library.close()


@given(
    st.binary(min_size=72, max_size=72),
    st.sampled_from(
        [
            "array(float64, 2d, A)",
            "array(int8, 2d, C)",
            "unicode_type",
            "readonly bytes(uint8, 1d, C)",
            "Tuple(unicode_type, int64)",
        ]
    ),
)
@settings(max_examples=500, deadline=None)
def test_random_bytes_never_fail(library: Library, contents: bytes, name: str) -> None:
    library.text(name, contents)
    library.json(name, contents)


@given(
    st.text(max_size=80)
    | st.sampled_from(["array(", "Record(a[type=", "Tuple(" * 500, "{" * 500, "UniTuple(int64 x 99999999999)"])
)
@settings(max_examples=500, deadline=None)
def test_random_types_never_fail(library: Library, name: str) -> None:
    name = name.replace("\0", "").encode("utf-8", "ignore").decode()
    try:
        library.layout(name)
    except Refused as refusal:
        assert str(refusal) == "a limit was reached"


def test_today_is_right(library: Library) -> None:
    today = datetime.date(2026, 11, 21)
    days = (today - datetime.date(1970, 1, 1)).days
    assert library.text("datetime64[D]", struct.pack("<q", days)) == f"np.datetime64('{today.isoformat()}')"

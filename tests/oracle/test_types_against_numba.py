"""Each type's size and member offsets, parsed from its text alone and with its storage, against llvmlite's own."""

from __future__ import annotations

import collections
import enum
import re
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest
from llvmlite import ir
from numba import njit, typeof, types
from numba.core.datamodel import default_manager
from numba.core.registry import cpu_target
from numba.experimental import jitclass
from numba.typed import Dict, List

from tests.oracle.inspect_library import Library

Point = collections.namedtuple("Point", "x y")
Single = collections.namedtuple("Single", "x")


class Color(enum.IntEnum):
    RED = 1
    BLUE = 2


class Half(enum.Enum):
    A = 1.5
    B = 2.5


@njit
def function(x: Any) -> Any:
    return x


@jitclass([("a", types.int64), ("b", types.float64[:])])
class Boxed:
    def __init__(self) -> None:
        self.a = 1
        self.b = np.zeros(3)


PLAIN = np.dtype([("a", "i8"), ("b", "f8")])
PACKED = np.dtype([("a", "i1"), ("b", "f8")])
TITLED = np.dtype([(("title", "a"), "i1"), ("b", "f8")])
NESTED = np.dtype(
    [("a", "i4"), ("in", PLAIN), ("arr", "f4", (3, 2)), ("s", "S3"), ("u", "U2"), ("ok", "?"), ("c", "c16")]
    + [("d", "M8[D]")],
    align=True,
)
readonly = np.zeros(3)
readonly.flags.writeable = False

VALUES: list[Any] = [
    True, np.int8(1), np.int16(1), np.int32(1), 1, np.uint8(1), np.uint16(1), np.uint32(1), np.uint64(1),
    1.5, np.float32(1), 1j, np.complex64(1j), np.datetime64("2020-01-01"), np.datetime64("2020", "ns"),
    np.timedelta64(3, "ns"), np.timedelta64(3), None, "x", b"ab", bytearray(b"x"), memoryview(b"a"),
    np.zeros(3), np.zeros((2, 3), order="F"), np.zeros((4, 4))[::2], np.zeros(()), np.zeros(3, PLAIN),
    np.zeros(3, NESTED), np.zeros(3, PACKED), np.zeros(3, TITLED), np.zeros(2, "U5"), np.zeros(2, "S5"),
    np.zeros(2, "?"), np.zeros(2, "M8[D]"), np.zeros(2, "m8"), np.zeros(2, "c8"), np.zeros((1,) * 7, "i2"),
    np.zeros(1, PLAIN)[0], np.zeros(1, NESTED)[0], np.str_("abc"), np.bytes_(b"ab"), readonly,
    np.frombuffer(b"a" * 25, dtype="u1")[1:].view("i8"), (1, 2), (1, 2.5), (), (1,), (np.int8(1), 2, True),
    (True, False), (None, 1), ("a", 1), ("a", "b"), Point(1, 2), Point(1, 2.5), Single(True),
    (np.zeros(3), np.zeros(3)), ((1, 2), 3.5), (1, (np.int8(2), (True, 4.5))), Color.RED, Half.A, Color,
    slice(1, 2), slice(1, 2, 3), [1, 2], {1, 2}, List([1]), Dict.empty(types.int64, types.float64),
    np.dtype("i4"), np.int32, function, Boxed(), np.zeros(1, PLAIN)[:0],
]  # fmt: skip

TYPES: list[types.Type] = [typeof(value) for value in VALUES] + [
    types.Optional(types.int64), types.Optional(types.float64[:]), types.Optional(types.boolean),
    types.Optional(types.unicode_type), types.Optional(types.Tuple((types.int8, types.int64))),
    types.Omitted(None), types.Omitted(3), types.Omitted(2.5), types.literal(3), types.literal("x, y"),
    types.literal(True), types.literal(slice(1, 2)), types.voidptr, types.CPointer(types.int64),
    types.CPointer(types.int8), types.intp, types.uintp, types.byte, types.NPDatetime(""),
    types.range_state64_type, types.range_state32_type, types.range_iter64_type, types.pyobject,
    types.Array(types.float64, 1, "C").iterator_type, types.UniTuple(types.UnicodeCharSeq(2), 3),
    types.Tuple((types.Tuple((types.int8, types.int64)), types.int8)), types.UniTuple(types.boolean, 3),
    types.UniTuple(types.UniTuple(types.int16, 2), 3), types.NestedArray(types.int64, (3,)),
    types.UniTuple(types.Record.make_c_struct([("a", types.int8), ("b", types.int64)]), 2),
    types.Tuple((types.Record.make_c_struct([("a", types.int8)]), types.float32)),
    types.Pair(types.int8, types.int64), types.ArrayCTypes(types.float64[:]),
    types.StarArgTuple((types.int64, types.float64)), types.StarArgUniTuple(types.int64, 2),
    types.Array(types.NestedArray(types.int64, (3, 2)), 1, "C"), types.ListType(types.float64),
    types.DictType(types.unicode_type, types.ListType(types.int64)), types.Set(types.int64),
    types.FunctionType(types.int64(types.int64)), types.List(types.int64, reflected=True),
    types.Array(types.float64, 1, "C", readonly=True, aligned=False), types.LiteralList((types.int64,)),
    types.Tuple((types.literal("a, b"), types.literal(3))), types.Tuple((types.literal(3), types.none)),
    types.LiteralStrKeyDict({types.literal("a"): types.int64}), types.Tuple((typeof(function), types.int8)),
]  # fmt: skip

# The texts of these types do not show their members' layout without the storage.
NEEDS_STORAGE = "pair<"

context = cpu_target.target_context
target = context.target_data


def model_type(numba_type: types.Type) -> ir.Type:
    return default_manager[numba_type].get_value_type()


def offsets(storage: ir.Type) -> list[int] | None:
    if isinstance(storage, ir.BaseStructType):
        module = llvm.parse_assembly(f"%s = type {storage}\n@g = external global %s")
        element = module.get_global_variable("g").global_value_type
        return [target.get_element_offset(element, i) for i in range(len(storage.elements))]
    if isinstance(storage, ir.ArrayType):
        size = storage.element.get_abi_size(target, context=None)
        return [i * size for i in range(storage.count)]
    return None


@pytest.fixture(scope="module")
def library() -> Any:
    lib = Library()
    yield lib
    lib.close()


def test_there_are_enough() -> None:
    assert len({str(t) for t in TYPES}) >= 100


def name_of(numba_type: Any) -> str:
    """Return the type's text without addresses, so that it is the same in every process that collects these tests."""
    return re.sub(r"0x[0-9a-f]+|#[0-9a-f]{6,}", "…", str(numba_type))


@pytest.mark.parametrize("with_storage", [False, True], ids=["name", "storage"])
@pytest.mark.parametrize("numba_type", TYPES, ids=name_of)
def test_size_and_offsets(library: Library, numba_type: types.Type, with_storage: bool) -> None:
    storage = model_type(numba_type)
    name = str(numba_type)
    if not with_storage and name.startswith(NEEDS_STORAGE):
        assert library.layout(name)["kind"] == "opaque"
        return
    layout = library.layout(name, str(storage) if with_storage else None)
    assert layout["name"] == name
    assert layout["size"] == storage.get_abi_size(target)
    expected = offsets(storage)
    if layout["kind"] not in ("charseq", "literal", "opaque") and expected is not None:
        assert [member["offset"] for member in layout["members"]] == expected
        sizes = [element.get_abi_size(target) for element in storage.elements] if len(expected) else []
        assert [member["type"]["size"] for member in layout["members"]] == sizes


@pytest.mark.parametrize("numba_type", TYPES, ids=name_of)
def test_the_text_of_debug_information(library: Library, numba_type: types.Type) -> None:
    """numba/core/debuginfo.py names types "<numba type> (<llvm type>)"."""
    storage = model_type(numba_type)
    both = library.layout(f"{numba_type} ({storage})")
    assert both == library.layout(str(numba_type), str(storage))


@pytest.mark.parametrize("dtype", [PLAIN, PACKED, NESTED, TITLED], ids=["plain", "packed", "nested", "titled"])
def test_record_fields(library: Library, dtype: np.dtype[Any]) -> None:
    record = library.layout(str(typeof(np.zeros(1, dtype))))["target"]
    assert record["size"] == dtype.itemsize
    expected = {name: (dtype.fields[name][1], dtype.fields[name][0].itemsize) for name in dtype.names or ()}
    assert {m["name"]: (m["offset"], m["type"]["size"]) for m in record["members"]} == expected


def test_kinds(library: Library) -> None:
    for numba_type, kind in [
        (typeof(True), "bool"), (typeof(1), "int"), (typeof(1j), "complex"), (typeof("a"), "str"),
        (typeof(b"a"), "bytes"), (typeof((1, 2.5)), "tuple"), (typeof(Point(1, 2.5)), "tuple"),
        (types.Optional(types.int64), "optional"), (typeof(Color.RED), "enum"), (types.literal(3), "literal"),
        (typeof(np.zeros(3)), "array"), (typeof(Dict.empty(types.int64, types.int64)), "dict"),
        (typeof(np.datetime64("2020")), "datetime"), (typeof(np.bytes_(b"a")), "charseq"),
        (typeof(np.zeros(1, PLAIN)[0]), "pointer"), (types.none, "none"), (typeof(function), "literal"),
        (types.List(types.int64), "list"), (typeof(Boxed()), "object"), (typeof(slice(1, 2)), "range"),
    ]:  # fmt: skip
        assert library.layout(str(numba_type))["kind"] == kind, str(numba_type)


def test_named_tuples(library: Library) -> None:
    name = str(typeof(Point(1, 2.5)))
    assert [m["name"] for m in library.layout(name)["members"]] == ["f0", "f1"]
    library.set_fields("Point", ["x", "y"])
    assert [m["name"] for m in library.layout(name)["members"]] == ["x", "y"]
    assert [m["name"] for m in library.layout(str(typeof(Point(1, 2))))["members"]] == ["x", "y"]


def test_a_storage_that_contradicts_wins(library: Library) -> None:
    layout = library.layout("array(float64, 1d, C)", "{i8*, i64}")
    assert (layout["kind"], layout["size"]) == ("struct", 16)
    assert library.layout("int64", "i32")["size"] == 4


def test_opaque_pointers(library: Library) -> None:
    old = library.layout("array(float64, 1d, C)", "{i8*, i8*, i64, i64, double*, [1 x i64], [1 x i64]}")
    new = library.layout("array(float64, 1d, C)", "{ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}")
    assert old == new

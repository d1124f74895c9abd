"""Containers and instances that real Numba code has in memory, rendered, against their own repr."""
# ruff: noqa: E501 (tables)

from __future__ import annotations

import ctypes
import re
from typing import Any

import numba
import numpy as np
import pytest
from numba import njit, types
from numba.experimental import jitclass, structref
from numba.typed import Dict, List

from tests.oracle.held import held, size_of, spill
from tests.oracle.inspect_library import Library, Refused

# One process compiles the code that all typed containers need.
pytestmark = pytest.mark.xdist_group("containers")


@pytest.fixture(scope="module")
def library() -> Any:
    lib = Library()
    yield lib
    lib.close()


def dict_of(pairs: Any) -> Any:
    made = Dict()
    for key, value in pairs:
        made[key] = value
    return made


def set_of(items: Any) -> Any:
    made = numba.typed.Set()
    for each in items:
        made.add(each)
    return made


def one_line(text: str) -> str:
    """Return the text without NumPy's padding to columns, line breaks and, from 2 on, the names of its scalars'
    types."""
    text = re.sub(r"np\.(?:float|int|uint)\d+\(([^()]*)\)", r"\1", text)
    return re.sub(r"\s+(?=\])|(?<=\[)\s+", "", re.sub(r"\s+", " ", text))


def check(library: Library, value: Any, expected: str | None = None) -> None:
    name, contents, storage = held(value)
    wanted = one_line(repr(value) if expected is None else expected)
    assert library.text(name, contents) == wanted
    assert library.text(name, contents, storage=storage) == wanted


RECORDS = np.array([(1, 2.5), (3, 4.0)], [("a", "i8"), ("b", "f8")])

LISTS: list[Any] = [
    [1, 2, 3], [1.5, -0.0], ["a", "é\n"], [(1, 2.5), (3, 4.0)], [True, False], [1 + 2j], [(1, ("x", True))],
    [np.float32(0.5)], [np.int8(3), np.int8(-4)], [b"xy"],
]  # fmt: skip
# As text: Numba compiles for each kind, which takes seconds in all, and only the process that tests a kind needs it.
TYPED = [
    "List([1, 2, 3])", "List([1.5, -0.0])", "List(['a', 'b c'])", "List([(1, 'x'), (2, 'y')])", "List([np.int8(3)])",
    "List([List([1, 2]), List([3])])", "List([True, False])", "List([np.arange(3.0), np.ones(2)])", "List([1 + 2j])",
    "List([np.arange(4).reshape(2, 2)])", "List([dict_of([('a', 1)])])", "List.empty_list(types.int64)", "List.empty_list(types.float32)",
    "List([np.float32(0.1)])", "List([np.datetime64('2020-01-01')])", "List([np.timedelta64(3, 'D')])",
    "dict_of([(1, 2.5), (2, 3.5)])", "dict_of([('a', 1), ('b', 2)])", "dict_of([((1, 2), 'x')])", "dict_of([(1, np.arange(3))])",
    "dict_of([(np.int8(1), True), (np.int8(2), False)])", "dict_of([('a', dict_of([(1, 2)]))])", "dict_of([(1.5, (1, 'x'))])",
    "dict_of([('k', List([1, 2]))])", "dict_of([(-1, -2), (-2, -1)])", "Dict.empty(types.int64, types.unicode_type)",
]  # fmt: skip
if hasattr(numba.typed, "Set"):
    TYPED += [f"set_of({items})" for items in ([1, 2, 3], ["a", "b"], [1.5], [(1, 2)], [-1, -2])]


@pytest.mark.parametrize("value", LISTS, ids=lambda x: ascii(x)[:40])
def test_reflected_lists(library: Library, value: Any) -> None:
    check(library, value)


@pytest.mark.parametrize("value", [{1, 2, 3}, {1.5}, {(1, 2)}, {-1, -2}, set(range(100))], ids=lambda x: ascii(x)[:40])
def test_reflected_sets(library: Library, value: Any) -> None:
    name, contents, storage = held(value)
    assert eval(library.text(name, contents)) == value
    assert eval(library.text(name, contents, storage=storage)) == value
    shown, exact = library.json(name, contents)
    assert exact and shown["length"] == len(value)


@pytest.mark.parametrize("made", TYPED)
def test_typed(library: Library, made: str) -> None:
    check(library, eval(made))


@pytest.mark.parametrize("size", [0, 1, 5, 100, 250, 70000])
def test_dicts_of_every_index_width(library: Library, size: int) -> None:
    made = Dict.empty(types.int64, types.float64)
    for i in range(size):
        made[i * 7] = i / 2
    for i in range(0, size, 3):
        del made[i * 7]
    name, contents, _ = held(made)
    shown = library.text(name, contents, elements=0, max_bytes=1 << 30)
    assert shown == repr(made)
    short = library.text(name, contents, elements=2)
    left = [(k, v) for k, v in made.items()]
    expected = ", ".join(f"{k}: {v}" for k, v in left[:2]) + (", ..." if len(left) > 2 else "")
    assert short == f"DictType[int64,float64]<iv=None>({{{expected}}})"
    value, exact = library.json(name, contents)
    assert value == {"dict": [[k, v] for k, v in left[:64]], "length": len(left)}
    assert exact
    if left:
        key, wanted = left[-1]
        assert library.text(name, contents, f"[{key}]") == repr(wanted)
    with pytest.raises(Refused, match="KeyError: -5"):
        library.text(name, contents, "[-5]")


def test_work_is_what_is_shown(library: Library) -> None:
    made = Dict.empty(types.int64, types.int64)
    fill(made, 1_000_000)
    name, contents, _ = held(made)
    before = library.wanted()
    text = library.text(name, contents)
    assert text.endswith("199: 199, ...})") and library.wanted() - before < 16384
    assert library.json(name, contents)[0]["length"] == 1_000_000


@njit
def fill(made: Any, count: int) -> None:
    for i in range(count):
        made[i] = i


def test_paths(library: Library) -> None:
    words = List(["a", "bb", "ccc", "dd"])
    name, contents, _ = held(words)
    for path, expected in [("[1]", "'bb'"), ("[-1]", "'dd'"), ("[1:3]", "ListType[unicode_type]([bb, ccc])"), ("[::-2]", "ListType[unicode_type]([dd, bb])"), ("[1:][::2]", "ListType[unicode_type]([bb, dd])"), ("[::-1][0]", "'dd'"), ("[2][1:]", "'cc'")]:  # fmt: skip
        assert library.text(name, contents, path) == expected
    for path, error in [
        ("[4]", "IndexError: list index out of range"),
        ("['a']", "TypeError: list indices must be integers or slices, not str"),
        ("[::0]", "ValueError: slice step cannot be zero"),
    ]:
        with pytest.raises(Refused, match=re.escape(error)):
            library.text(name, contents, path)
    by_name = dict_of([("k", np.arange(3)), ("é", np.ones(3, int))])
    name, contents, _ = held(by_name)
    assert library.text(name, contents, "['k'][1]") == "1"
    assert library.text(name, contents, "['é']") == "array([1, 1, 1])"
    with pytest.raises(Refused, match="KeyError: 'x'"):
        library.text(name, contents, "['x']")


@jitclass([("x", types.int64), ("a", types.float64[:]), ("flag", types.boolean), ("s", types.unicode_type)])
class Foo:
    def __init__(self, x: int):
        self.x = x
        self.a = np.arange(3.0)
        self.flag = True
        self.s = "abc"


@jitclass([("foo", Foo.class_type.instance_type), ("n", types.int8)])
class Bar:
    def __init__(self, foo: Any):
        self.foo = foo
        self.n = -3


@structref.register
class PairType(types.StructRef):
    def preprocess_fields(self, fields: Any) -> Any:
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Pair(structref.StructRefProxy):
    def __new__(cls, *args: Any) -> Any:
        return structref.StructRefProxy.__new__(cls, *args)


structref.define_proxy(Pair, PairType, ["x", "y"])


def test_instances(library: Library) -> None:
    shown = "Foo(x=7, a=array([0., 1., 2.]), flag=True, s='abc')"
    foo = Foo(7)
    check(library, foo, shown)
    check(library, Bar(foo), f"Bar(foo={shown}, n=-3)")
    check(library, List([foo]), None if False else f"{str(numba.typeof(List([foo])))}([{shown}])")
    name, contents, _ = held(foo)
    assert library.text(name, contents, ".a[1]") == "1.0"
    assert library.text(name, contents, ".s") == "'abc'"
    assert library.json(name, contents) == (
        {
            "class": "Foo",
            "attributes": {"x": 7, "a": {"shape": [3], "data": [0.0, 1.0, 2.0]}, "flag": True, "s": "abc"},
        },
        True,
    )
    with pytest.raises(Refused, match="AttributeError: 'Foo' object has no field 'y' "):
        library.text(name, contents, ".y")
    check(library, Pair(1, 2.5), "PairType(x=1, y=2.5)")
    check(library, Pair("a", np.arange(2)), "PairType(x='a', y=array([0, 1]))")
    check(
        library,
        Pair(List([1]), dict_of([("a", 1)])),
        "PairType(x=ListType[int64]([1]), y=DictType[unicode_type,int64]<iv=None>({a: 1}))",
    )
    check(library, Pair((1, 2), (1, "x")), "PairType(x=(1, 2), y=(1, 'x'))")
    check(library, Pair({1}, [2]), "PairType(x={1}, y=[2])")
    check(
        library,
        Pair(np.datetime64("2020-01-01"), np.zeros((2, 2), "f4")),
        "PairType(x=np.datetime64('2020-01-01'), y=array([[0., 0.], [0., 0.]], dtype=float32))",
    )


@njit
def keep_made(address: Any) -> Any:
    nested = [[1, 2], [3]]
    words = {str(7)}
    many = [1, "x", 2.5]
    named = {"a": 1, "b": "x"}
    spill(nested, address)
    spill(words, address + np.uintp(16))
    spill(many, address + np.uintp(32))
    spill(named, address + np.uintp(256))
    return len(many[1]) + len(named["b"])


def test_made_inside(library: Library) -> None:
    room = ctypes.create_string_buffer(512)
    keep_made(np.uintp(ctypes.addressof(room)))
    assert library.text("list(list(int64)<iv=None>)<iv=None>", room.raw[:16]) == "[[1, 2], [3]]"
    assert library.text("set(unicode_type)", room.raw[16:32]) == "{'7'}"
    kinds = [kind for kind in keep_made.overloads[(types.uintp,)].type_annotation.typemap.values()]
    for wanted, offset, shown in (
        (types.LiteralList, 32, "[1, 'x', 2.5]"),
        (types.LiteralStrKeyDict, 256, "{'a': 1, 'b': 'x'}"),
    ):
        kind = next(k for k in kinds if isinstance(k, wanted))
        assert library.text(str(kind), room.raw[offset : offset + size_of(kind)]) == shown


def test_freed_and_missing(library: Library) -> None:
    freed = ctypes.create_string_buffer(b"\xde" * 64, 64)
    contents = ctypes.addressof(freed).to_bytes(8, "little") + bytes(8)
    assert library.text("list(int64)<iv=None>", contents) == "<unknown: its memory was freed>"
    assert library.text("list(int64)<iv=None>", bytes(16)) == "<unknown: it is not there (NULL)>"
    assert library.text("ListType[int64]", bytes(16)) == "<unknown: it is not there (NULL)>"
    assert library.text("memory-managed *int64", contents[:8]).endswith(": freed>")
    assert library.text("DictType[int64,int64]<iv=None>", (1).to_bytes(8, "little") * 2).startswith("<unreadable: 0x1")


def test_as_the_interpreter_holds_them(library: Library) -> None:
    foo = Foo(7)
    for value, expected in [
        (List([1, 2]), None),
        (dict_of([("a", List([1.5]))]), None),
        (List([foo]), f"{str(numba.typeof(List([foo])))}([Foo(x=7, a=array([0., 1., 2.]), flag=True, s='abc')])"),
        (Bar(foo), "Bar(foo=Foo(x=7, a=array([0., 1., 2.]), flag=True, s='abc'), n=-3)"),
    ]:
        shown = library.text("pyobject", id(value).to_bytes(8, "little"))
        assert shown == one_line(repr(value) if expected is None else expected)
        around = [value]
        assert library.text("pyobject", id(around).to_bytes(8, "little")) == f"[{shown}]"
    made = List([1, 2])
    assert library.json("pyobject", id(made).to_bytes(8, "little"))[0] == {"list": [1, 2], "length": 2}
    empty = List()  # no type yet
    assert library.text("pyobject", id(empty).to_bytes(8, "little")).startswith("<numba.typed.typedlist.List object at")

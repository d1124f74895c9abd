"""The errors of expressions, by their text: Python's and NumPy's own words where those have the error, too."""
# ruff: noqa: E501 (tables)

from __future__ import annotations

import ctypes
import json
import struct
from typing import Any

import numpy as np
import pytest

from tests.oracle.expression_values import describe, held, plain_value, text_variable
from tests.oracle.inspect_expressions import Expressions
from tests.oracle.inspect_library import Refused

NUMBERS = [
    ("1 // 0", "ZeroDivisionError: integer division or modulo by zero"),
    ("1 % 0", "ZeroDivisionError: integer modulo by zero"),
    ("1.0 // 0.0", "ZeroDivisionError: float floor division by zero"),
    ("1.0 % 0.0", "ZeroDivisionError: float modulo by zero"),
    ("0 ** -1", "ZeroDivisionError: zero to a negative power"),
    ("~x", "TypeError: bad operand type for unary ~: 'float'"),
    ("bin(x)", "TypeError: 'float' object cannot be interpreted as an integer"),
    ("float('x')", "ValueError: could not convert string to float: 'x'"),
    ("float(c)", "TypeError: float() argument must be a string or a real number, not 'complex'"),
    ("float([1])", "TypeError: float() argument must be a string or a real number, not 'list'"),
    ("int(c)", "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'complex'"),
    ("int([1])", "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'list'"),
    ("int(nan)", "ValueError: cannot convert float NaN to integer"),
    ("int(inf)", "OverflowError: cannot convert float infinity to integer"),
    ("9" * 44, "OverflowError: an integer of more than 127 bits"),
    ("0b12", "SyntaxError: invalid digit in a number"),
    ("u + 300", "OverflowError: Python integer 300 out of bounds for uint8"),
    ("k ** -2", "ValueError: Integers to negative integer powers are not allowed."),
]
TEXTS = [
    ("'a' + b'b'", 'TypeError: can only concatenate str (not "bytes") to str'),
    ("b'b' + 'a'", "TypeError: can't concat str to bytes"),
    ("'a' * 2.5", "TypeError: can't multiply sequence by non-int of type 'float'"),
    ("1 in text", "TypeError: 'in <string>' requires string as left operand, not int"),
    ("text in b'abc'", "TypeError: a bytes-like object is required, not 'str'"),
    ("text['a']", "TypeError: string indices must be integers"),
    ("text[2**70]", "IndexError: cannot fit 'int' into an index-sized integer"),
    ("text.index('z')", "ValueError: substring not found"),
    ("b'abc'.index(b'z')", "ValueError: subsection not found"),
    ("ord('ab')", "TypeError: ord() expected a character, but string of length 2 found"),
    ("ord(3)", "TypeError: ord() expected string of length 1, but int found"),
    ("'%x' % 2.5", "TypeError: %x format: an integer is required, not float"),
    ("'%f' % 'x'", "TypeError: must be real number, not str"),
    ("'%c' % 'xx'", "TypeError: %c requires an int or a unicode character, not str"),
    ("'%y' % 3", "ValueError: unsupported format character (0x79) at index 1"),
    ("b'%d' % 3", "TypeError: formatting bytes with % is not known here"),
    ("'%*d' % (1, 2)", "ValueError: such a format is not known here"),
    ('"""abc', "SyntaxError: unterminated triple-quoted string literal (detected at line 1)"),
    ("'a' b'b'", "SyntaxError: cannot mix bytes and nonbytes literals"),
    ("b'é'", "SyntaxError: bytes can only contain ASCII literal characters"),
]
DEEP = "[" * 80 + "axes.tolist()" + "]" * 80
CONTAINERS = [
    ("[1] + (1,)", 'TypeError: can only concatenate list (not "tuple") to list'),
    ("1 in 3", "TypeError: argument of type 'int' is not iterable"),
    ("max(3)", "TypeError: 'int' object is not iterable"),
    ("(1, 2).index(5)", "ValueError: tuple.index(x): x not in tuple"),
    ("t['a']", "TypeError: tuple indices must be integers or slices, not str"),
    ("t[1, 2]", "TypeError: tuple indices must be integers or slices, not tuple"),
    ("1 is 1", "TypeError: 'is' compares with None, True and False here: use =="),
    ("len", "TypeError: 'len' is a function; call it: len()"),
    ("[len]", "TypeError: 'len' is a function; call it: len()"),
    ("len(x=a)", "TypeError: the argument x= of len() is not known here"),
    ("'a b'.split(sep=' ')", "TypeError: the argument sep= of split() is not known here"),
    ("1 in rows[0]", "TypeError: 'in' cannot search a 'numpy.void' here"),
    ("rows[0][b'x']", "TypeError: 'numpy.void' cannot be subscripted by bytes here"),
    ("rows[0]['" + "x" * 128 + "']", "KeyError: keys of more than 127 bytes are not looked up here"),
    ("not rows[0]", "TypeError: bool() of numpy.void is not known here"),
    ("rows[0][()]", "TypeError: a subscript of 0 items is not known here"),
    (f"{DEEP} == {DEEP}", "RecursionError: maximum recursion depth exceeded in comparison"),
    ("[" * 65 + "]" * 65, "RecursionError: more than 64 tuples or lists are within one another"),
    ("object.upper()", "MemoryError: a text of 1048577 characters is too long to compute with"),
    ("object + 'x'", "MemoryError: a text of 1048577 characters is too long to compute with"),
    ("long.find('a' * 1000 + 'b')", "MemoryError: find() would compare more than 134217728 characters"),
    ("1" * 65537, "MemoryError: the expression has more than 65536 bytes"),
    ("list(z)", "TypeError: going through a 'numpy.ndarray' is not known here"),
]
ARRAYS = [
    ("a[1.5:2]", "TypeError: slice indices must be integers or None or have an __index__ method"),
    ("a[..., ...]", "IndexError: an index can only have a single ellipsis ('...')"),
    ("b[[0, 1], [0, 1, 2]]", "IndexError: shape mismatch: indexing arrays could not be broadcast together"),
    ("int(a)", "TypeError: only 0-dimensional arrays can be converted to Python scalars"),
    ("a.item()", "ValueError: can only convert an array of size 1 to a Python scalar"),
    ("z @ a", "ValueError: matmul: Input operand 0 does not have enough dimensions (has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)"),
    ("+f", "TypeError: ufunc 'positive' did not contain a loop with signature matching types <class 'numpy.dtypes.BoolDType'> -> None"),
    ("e.argmax()", "ValueError: attempt to get argmax of an empty sequence"),
    ("np.nonzero(z)", "ValueError: Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead."),
    ("len(z)", "TypeError: len() of unsized object"),
    ("sum(z)", "TypeError: iteration over a 0-d array"),
    ("a.round(1, 2, 3)", "TypeError: round() takes at most 1 argument (3 given)"),
    ("a.sum(0, axis=0)", "TypeError: sum() got multiple values for argument 'axis'"),
    ("a.reshape((1,) * 33)", "ValueError: maximum supported dimension for an ndarray is 32 here"),
    ("a.reshape(-1, -1)", "ValueError: can only specify one unknown dimension"),
    ("a.reshape(-2)", "ValueError: negative dimensions not allowed"),
    ("a.reshape('C', 1)", "TypeError: 'str' object cannot be interpreted as an integer"),
    ("b.transpose(0, 0)", "ValueError: repeated axis in transpose"),
    ("np.diff(z)", "ValueError: diff requires input that is at least one dimensional"),
    ("np.dot(a)", "TypeError: dot() missing an argument"),
    ("np.sum()", "TypeError: sum() missing an argument"),
    ("np.arange()", "TypeError: arange() takes 1 to 3 arguments"),
    ("a.argmax(axis=(0,))", "TypeError: 'tuple' object cannot be interpreted as an integer"),
    ("np.sqrt(a, out=a)", "TypeError: the argument out= of sqrt() is not known here"),
    ("words.sum()", "TypeError: sum() of [unichr x 2] is not known here"),
    ("max(words)", "TypeError: max() of [unichr x 2] is not known here"),
    ("words.astype(int)", "TypeError: astype() of [unichr x 2] is not known here"),
    ("np.nonzero(words)", "TypeError: whether elements of [unichr x 2] are true is not known here"),
    ("np.sort(b)", "TypeError: sort() of a 2-dimensional array is not known here"),
    ("np.median(a * 1j)", "TypeError: median() of complex128 is not known here"),
    ("axes[None, None]", "IndexError: the result would have more than 32 dimensions"),
    ("axes[None][None]", "IndexError: the result would have more than 32 dimensions"),
    ("axes[[[[0]]]]", "IndexError: the result would have more than 32 dimensions"),
    ("axes[[0], None, None]", "IndexError: an index over more than 32 dimensions is not known here"),
    ("empty.sum(axis=0)", "ValueError: array is too big"),
]  # fmt: skip
TOO_LARGE = [
    ("wide @ wide", "MemoryError: a product of so many elements is too much here"),
    ("wide.tolist()", "MemoryError: a list of 67108864 items is too long to hold here"),
    ("wide.cumsum()", "MemoryError: 67108864 elements are too many to hold here"),
    ("wide[[0] * 9000]", "MemoryError: more than 1048576 elements by indices are too many to hold here"),
    ("[9] * 5000000", "MemoryError: more than 64 MiB would be held here"),
]
PATHS = [
    ("text", "['a']", "TypeError: string indices must be integers"),
    ("t", "['a']", "TypeError: tuple indices must be integers or slices, not str"),
    ("t", "[1,2]", "TypeError: tuple indices must be integers or slices, not tuple"),
    ("int64*", "[1,2]", "TypeError: a pointer takes one integer"),
    ("[char x 4]", "[0]", "TypeError: subscripts of fixed-length bytes are not known here"),
    ("Tuple(int64, x)", "[0:2]", "TypeError: a slice of 'Tuple(int64, x)' is not known here"),
    ("characters", "[:65537]", "MemoryError: a slice over more than 65536 characters is too long"),
    ("DictType[int64,int64]", "[1,2]", "TypeError: a key of a dict is an integer or a text here"),
    ("list", "['a']", "TypeError: this subscript of 'list' is not known here"),
]


@pytest.fixture(scope="module")
def library() -> Any:
    lib = Expressions()
    yield lib
    lib.close()


@pytest.fixture(scope="module")
def variables() -> Any:
    a, k, wide = np.arange(6.0), np.arange(6), np.broadcast_to(np.float64(1), (1 << 13, 1 << 13))
    text, kept = text_variable("hello")
    u, z, e, f = k.astype("u1"), np.array(2.5), np.zeros(0), np.array([True, False, True])
    numbers = {"x": np.float64(2.5), "c": np.complex128(1 + 2j), "nan": np.float64("nan"), "inf": np.float64("inf")}
    t = (np.int64(1), np.float64(2.5), np.int64(3))
    axes, words, rows = np.zeros((1,) * 31), np.array(["ab", "c"], "U2"), np.zeros(2, "i4,f8")
    large, held_object = text_variable("a" * (1 << 20)), "a" * ((1 << 20) + 1)
    yield {
        **held(a=a, b=a.reshape(2, 3), k=k, u=u, z=z, e=e, f=f, wide=wide, t=t, axes=axes, **numbers),
        "text": text,
        "long": large[0],
        "object": ("pyobject", id(held_object).to_bytes(8, "little")),
        "words": ("array([unichr x 2], 1d, C)", describe(words)),
        "rows": ("array(Record(x[type=int32;offset=0],y[type=float64;offset=4];12;False), 1d, C)", describe(rows)),
        "empty": ("array(float64, 3d, A)", lengths(a, 0, 1 << 40, 1 << 40)),
        "flat": ("array(float64, 3d, A)", lengths(a, 1 << 40, 1 << 40, 0)),
    }
    del kept, large


def lengths(array: Any, *shape: int) -> bytes:
    """Return the descriptor of an array without elements."""
    return struct.pack(f"<QQqqQ{2 * len(shape)}q", 0, 0, 0, 8, array.ctypes.data, *shape, *(0 for _ in shape))


@pytest.mark.parametrize(("expression", "error"), [*NUMBERS, *TEXTS, *CONTAINERS, *ARRAYS, *TOO_LARGE])
def test_errors(library: Any, variables: Any, expression: str, error: str) -> None:
    assert library.evaluate(expression, variables)["error"] == error


@pytest.mark.parametrize(("name", "path", "error"), PATHS)
def test_errors_of_what_is_selected(library: Any, variables: Any, name: str, path: str, error: str) -> None:
    """Compare the errors for values of types that GDB and Numba describe."""
    held_list = [1]
    address = id(held_list).to_bytes(8, "little")
    others = {
        "int64*": ("int64*", address),
        "[char x 4]": ("[char x 4]", b"abcd"),
        "list": ("pyobject", address),
        "Tuple(int64, x)": ("Tuple(int64, x)", bytes(24)),
        "characters": variables["long"],
        "DictType[int64,int64]": ("DictType[int64,int64]", bytes(16)),
    }
    kind, contents = {**variables, **others}[name]
    storage = "{i64, {i64, i32}}" if name == "Tuple(int64, x)" else None
    with pytest.raises(Refused) as refused:
        library.text(kind, contents, path, storage)
    assert str(refused.value) == error


def test_a_type_that_is_not_known(library: Any) -> None:
    assert library.text("foo", bytes(64)) == "<unknown: no layout of foo>"
    assert library.text("array(foo, 1d, C)", bytes(64)) == "<unknown: no layout of foo>"


def test_an_empty_array_whose_other_lengths_are_large(library: Any, variables: Any) -> None:
    for expression in ("flat[:]", "flat[...]", "flat[:, :]"):
        assert library.evaluate(expression, variables)["value"] == {"shape": [1 << 40, 1 << 40, 0], "data": []}
    assert library.text(*variables["flat"], "[:, 5]") == f"array([], shape=({1 << 40}, 0), dtype=float64)"


@pytest.mark.parametrize(
    ("name", "request_", "error"),
    [
        ("z", {"other": "3"}, "TypeError: both are 0-dimensional, and have no indices to list: compare them with =="),
        ("words", {"columns": 4, "rows": 2}, "TypeError: elements of [unichr x 2] cannot be plotted here"),
    ],
)
def test_errors_of_reports_of_arrays(library: Any, variables: Any, name: str, request_: Any, error: str) -> None:
    assert library.array(name, variables, **request_)["error"] == error


def test_a_condition_with_too_many_names(library: Any) -> None:
    groups = ["[" + ", ".join(f"n{i + k}" for k in range(100)) + "]" for i in (0, 100, 200)]
    found = ctypes.c_void_p()
    assert library.lib.js_condition_check(", ".join(groups).encode(), ctypes.byref(found)) == 0
    error = "SyntaxError: more than 256 names are in one expression"
    assert json.loads(library._text(found)) == {"names": [], "error": error, "offset": None}


def test_texts_of_the_interpreter(library: Any) -> None:
    """Methods and subscripts of str and bytes that are Python's objects, as object mode and Python frames have them."""
    held_text, held_bytes = "héllo wörld", b"abc\xff"
    variables = {
        "text": ("pyobject", id(held_text).to_bytes(8, "little")),
        "raw": ("pyobject", id(held_bytes).to_bytes(8, "little")),
    }
    cases = ["text.upper()", "text.find('w')", "text.split()", "text[1]", "text[-3:]", "text.startswith('h')", "raw[3]"]
    for case in [*cases, "text.title()[0]", "'w' in text[6:]", "len(text[2:5])"]:
        expected = eval(case, {"text": held_text, "raw": held_bytes})
        found = library.evaluate(case, variables)
        assert found.get("value") == plain_value(expected), (case, found)
    assert library.evaluate("text[99]", variables)["error"] == "IndexError: string index out of range"


def descriptor(address: int, count: int, size: int) -> bytes:
    return struct.pack("<QQqqQqq", 0, 0, count, size, address, count, size)


def test_a_mask_that_changes_while_it_is_read() -> None:
    """The first read of the mask finds ones, and the next one zeros."""
    mask, seen = 1 << 40, set()

    def read(_context: Any, address: int, buffer: int, size: int) -> int:
        is_new = address < mask or address not in seen
        seen.add(address)
        ctypes.memset(buffer, int(address >= mask and is_new), size)
        return 0

    library = Expressions(read)
    count = 100000
    variables = {
        "a": ("array(float64, 1d, C)", descriptor(1 << 30, count, 8)),
        "m": ("array(bool, 1d, C)", descriptor(mask, count, 1)),
    }
    assert library.evaluate("a[m].sum()", variables)["error"] == "<unknown: the mask has changed while it was read>"
    library.close()


def test_lists_that_change_while_they_are_read() -> None:
    """An inner list is longer when its length is read again. There are so many that the first reads are not kept."""
    count, lists, items, numbers = 2000, 1 << 24, 1 << 30, 1 << 40
    reads: dict[int, int] = {}

    def listed(length: int, item_size: int, at: int) -> bytes:
        return struct.pack("<qqqqQQQ", length, item_size, 1 << 20, 1, 0, 0, at)

    memory = b"".join(struct.pack("<QQ", 0, lists + 4096 * (i + 1)) for i in range(count))

    def read(_context: Any, address: int, buffer: int, size: int) -> int:
        reads[address] = reads.get(address, 0) + 1
        found = memory[address - items :] if items <= address < numbers else bytes(size)
        if address < items:
            found = listed(reads[address], 8, numbers) if address > lists else listed(count, 16, items)
        ctypes.memmove(buffer, found[:size].ljust(size, b"\0"), size)
        return 0

    library = Expressions(read)
    variables = {"rows": ("ListType[ListType[int64]]", struct.pack("<QQ", 0, lists))}
    assert library.evaluate("len(rows)", variables)["value"] == count
    assert library.evaluate("np.array(rows)", variables)["error"] == "<unknown: the list has changed while it was read>"
    library.close()


def test_a_dict_that_is_too_large_to_be_searched() -> None:
    """All entries but the first are deleted."""
    head, table, count = 1 << 24, 1 << 25, 1 << 20
    keys = struct.pack("<12q3q", count, 0, count, 8, 8, 24, 0, 0, 0, 0, 0, 0, 0, 5, 50)

    def read(_context: Any, address: int, buffer: int, size: int) -> int:
        start = {head: struct.pack("<qQ", 1, table), table: keys}.get(address, b"")
        ctypes.memmove(buffer, start[:size].ljust(size, b"\xff"), size)
        return 0

    library = Expressions(read)
    variables = {"ages": ("DictType[int64,int64]<iv=None>", struct.pack("<QQ", 0, head))}
    error = "MemoryError: it is too large: only 174763 of its 1048576 entries were read"
    assert library.evaluate("2.5 in ages", variables)["error"] == error
    library.close()

"""The errors of expressions, by their text: Python's and NumPy's own words where those have the error, too."""
# ruff: noqa: E501 (tables)

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.oracle.expression_values import held, text_variable
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
    yield {"text": text, **held(a=a, b=a.reshape(2, 3), k=k, u=u, z=z, e=e, f=f, wide=wide, t=t, **numbers)}
    del kept


@pytest.mark.parametrize(("expression", "error"), [*NUMBERS, *TEXTS, *CONTAINERS, *ARRAYS, *TOO_LARGE])
def test_errors(library: Any, variables: Any, expression: str, error: str) -> None:
    assert library.evaluate(expression, variables)["error"] == error


@pytest.mark.parametrize(("name", "path", "error"), PATHS)
def test_errors_of_what_is_selected(library: Any, variables: Any, name: str, path: str, error: str) -> None:
    """Compare the errors for values of types that GDB and Numba describe."""
    held_list = [1]
    address = id(held_list).to_bytes(8, "little")
    others = {"int64*": ("int64*", address), "[char x 4]": ("[char x 4]", b"abcd"), "list": ("pyobject", address)}
    kind, contents = {**variables, **others}[name]
    with pytest.raises(Refused) as refused:
        library.text(kind, contents, path)
    assert str(refused.value) == error


def test_a_type_that_is_not_known(library: Any) -> None:
    assert library.text("foo", bytes(64)) == "<unknown: no layout of foo>"
    assert library.text("array(foo, 1d, C)", bytes(64)) == "<unknown: no layout of foo>"

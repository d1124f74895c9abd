"""Expressions over generated variables, evaluated in C on this process's memory, against Python and NumPy."""
# ruff: noqa: E501 (tables)

from __future__ import annotations

import collections
import math
import os
import re
import struct
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.oracle.expression_reference import Evaluator, TooWide
from tests.oracle.expression_values import (
    close,
    contents,
    held,
    plain_value,
    text_variable,
)
from tests.oracle.inspect_expressions import Cancelled, Expressions

EXAMPLES = int(os.environ.get("JITSCOPE_EXAMPLES", "2000"))


@pytest.fixture(scope="module")
def library() -> Any:
    lib = Expressions()
    yield lib
    lib.close()


# ---- variables ----

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
EDGES = [0, 1, -1, 2, 3, 7, 100, 127, 128, 200, 255, 32767, 65535]
EDGES += [2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1]
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 2.5, 1e-8, 3.25, 1e10, math.inf, -math.inf, math.nan, 65504.0, 1e300, 5e-324]


def element(draw: Any, dtype: np.dtype[Any]) -> Any:
    if dtype.kind == "b":
        return draw(st.booleans())
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return draw(st.sampled_from([v for v in EDGES + [-v for v in EDGES] if info.min <= v <= info.max]))
    if dtype.kind == "f":
        return draw(st.sampled_from(FLOATS) | st.integers(-20, 20))
    return complex(draw(st.sampled_from(FLOATS)), draw(st.sampled_from(FLOATS)))


@st.composite
def arrays(draw: Any) -> np.ndarray[Any, Any]:
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    shape = tuple(draw(st.sampled_from([(), (3,), (4,), (1,), (0,), (2, 3), (3, 1), (1, 4), (2, 1, 3), (2, 0)])))
    steps = [draw(st.sampled_from([1, 1, 2, -1, -2])) for _ in shape]
    whole = tuple(length * abs(step) for length, step in zip(shape, steps))
    pool = np.array([element(draw, dtype) for _ in range(5)]).astype(dtype)
    array = np.resize(pool, whole) if whole else pool[:1].reshape(())
    array = np.asarray(array, order=draw(st.sampled_from("CF")))
    array = array[tuple(slice(None, None, step) for step in steps)] if shape else array
    return array.T if draw(st.booleans()) else array


@st.composite
def scenes(draw: Any) -> dict[str, Any]:
    variables: dict[str, Any] = {name: draw(arrays()) for name in "abc"}
    for name in "xyz":
        dtype = np.dtype(draw(st.sampled_from(DTYPES)))
        variables[name] = np.array([element(draw, dtype)]).astype(dtype)[0]
    variables["t"] = (np.int64(draw(st.integers(-3, 9))), np.float64(draw(st.sampled_from(FLOATS))), np.int64(4))
    return variables


# ---- expressions ----

NAMES = st.sampled_from(list("aabbcxyz"))
LITERALS = st.sampled_from(
    ["0", "1", "2", "3", "-1", "255", "300", "1.5", "0.5", "-2.0", "0.0", "1e3", "True", "False", "2j", "10**20"]
)
SMALL = st.sampled_from(["0", "1", "2", "3", "-1", "255", "1.5", "-2.0", "True", "2j"])
INDEX = st.integers(-4, 4).map(str)
BOUND = st.just("") | INDEX
SLICE = st.builds("{}:{}".format, BOUND, BOUND) | st.builds(
    "{}:{}:{}".format, BOUND, BOUND, st.sampled_from(["", "1", "2", "-1", "-2"])
)
ITEM = INDEX | SLICE | st.sampled_from(["...", "None"])
SUBSCRIPT = st.lists(ITEM, min_size=1, max_size=3).map(", ".join)
ARITHMETIC = st.sampled_from(["+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>", "**"])
COMPARISON = st.sampled_from(["<", "<=", "==", "!=", ">=", ">"])
FUNCTIONS = "len abs isnan isinf min max sum int float bool round".split()
ALONG = "sum mean std var min max argmin argmax any all prod cumsum".split()
SHAPES = [
    "ravel()",
    "flatten()",
    "transpose()",
    "cumsum()",
    "nonzero()",
    "copy()",
    "reshape(-1)",
    "astype('f8')",
    "conj()",
]
OF_ONE = "sqrt exp sin floor ceil square sign abs isnan count_nonzero flatnonzero unique diff logical_not sum".split()
OF_TWO = "maximum minimum add multiply less equal logical_and logical_or hypot fmod array_equal".split()
METHODS = "sum mean std var min max argmin argmax any all prod".split()


def grow(inner: Any) -> Any:
    return st.one_of(
        st.builds("({} {} {})".format, inner, ARITHMETIC, inner),
        st.builds("({} {} {})".format, inner, ARITHMETIC, inner),
        st.builds("({} {} {})".format, inner, COMPARISON, inner),
        st.builds("({} {} {} {} {})".format, inner, COMPARISON, inner, COMPARISON, inner),
        st.builds("({}{})".format, st.sampled_from(["-", "+", "~", "not "]), inner),
        st.builds("{}[{}]".format, inner, SUBSCRIPT),
        st.builds("{}[[{}, {}]]".format, inner, INDEX, INDEX),
        st.builds("{}[[{}, {}], {}]".format, inner, INDEX, INDEX, ITEM),
        st.builds("{}[{}, [{}, {}]]".format, inner, ITEM, INDEX, INDEX),
        st.builds("{}.{}(axis={})".format, inner, st.sampled_from(ALONG), st.sampled_from(["0", "0", "-1"])),
        st.builds("{}.sum(axis=0, keepdims=True)".format, inner),
        st.builds("{}.{}".format, inner, st.sampled_from(SHAPES)),
        st.builds("np.{}({})".format, st.sampled_from(OF_ONE), inner),
        st.builds("np.{}({}, {})".format, st.sampled_from(OF_TWO), inner, inner),
        st.builds("np.where({}, {}, {})".format, inner, inner, inner),
        st.builds("({} @ {})".format, inner, inner),
        st.builds("{0}[{0} {1} {2}]".format, st.sampled_from("abc"), COMPARISON, SMALL),
        st.builds("{}.{}()".format, inner, st.sampled_from(METHODS)),
        st.builds("{}.{}".format, inner, st.sampled_from(["shape", "T", "size", "ndim", "real", "imag"])),
        st.builds("{}({})".format, st.sampled_from(FUNCTIONS), inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or", "in", "not in"]), inner),
        st.builds("({}, {})".format, inner, inner),
        st.builds("[{}, {}]".format, inner, inner),
    )  # fmt: skip


EXPRESSIONS = st.recursive(NAMES | NAMES | LITERALS | st.just("t"), grow, max_leaves=6)

# Parts of the errors for expressions that are refused, for which Python has an answer.
REFUSED = ("not known here", "goes through the rows", "no array of numbers", "does not take")


def is_refused(error: str, expression: str) -> bool:
    """True if the error is a known limit, for which Python has an answer. For tuples and lists Python compares the
    items' identity first, which does not exist here."""
    if re.match(r"(AttributeError|TypeError): '(bool|int|float|complex)' object", error):
        return True  # arrays without an axis are numbers here
    by_identity = "truth value of an" in error and ", " in expression
    return by_identity or error.startswith("MemoryError") or any(word in error for word in REFUSED)


def kind_text(value: Any) -> str:
    """Return the beginning of js_expression_type."""
    if isinstance(value, np.ndarray):
        return f"array({value.dtype}, {value.ndim}d, "
    if isinstance(value, np.generic):
        return str(value.dtype)
    return {
        bool: "bool",
        int: "int64",
        float: "float64",
        complex: "complex128",
        str: "unicode_type",
        tuple: "",
        list: "list",
    }[type(value)]


def check(library: Expressions, expression: str, variables: dict[str, Any]) -> str:
    """Return "equal", "raised" or "refused"; otherwise the assertion fails."""
    given_contents = {name: contents(value) for name, value in variables.items()}
    found = library.evaluate(expression, given_contents)
    try:
        expected = Evaluator(variables).run(expression)
    except TooWide:
        assert found.get("error", "").startswith(("OverflowError", "MemoryError")), found
        return "refused"
    except Exception as error:
        if "too large to convert to C long" in str(error):
            return "refused"  # NumPy does not compare with 10**20
        assert "error" in found, (found, error)
        mine = found["error"]
        if is_refused(mine, expression):
            return "raised"
        name = type(error).__name__
        name = "TypeError" if name == "UFuncTypeError" or name.startswith("_UFunc") else name
        assert mine.split(":")[0] == name, (mine, repr(error))
        if name in ("IndexError", "NameError") or "broadcast" in str(error):
            if "np.where" in expression or ("], " in expression or ", [" in expression):
                return "raised"  # if there are several errors NumPy names another one
            known = ("invalid index to scalar", "only integers", "out of range", "0-dimensional")
            if not any(word in str(error) for word in known):
                assert mine == f"{name}: {error}", (mine, repr(error))
        return "raised"
    if "error" in found:
        assert is_refused(found["error"], expression), (found, expected)
        return "refused"
    assert found["state"] == "exact"
    if isinstance(expected, np.ndarray) and expected.ndim == 0 and not found["type"].startswith("array"):
        expected = expected[()]
    assert found["type"].startswith(kind_text(expected)), (found["type"], expected)
    value = plain_value(expected)
    many = any(isinstance(v, np.ndarray) and v.ndim > 1 for v in variables.values())
    tolerance = 0.0
    library_functions = ("np.exp", "np.sin", "np.hypot", "np.sqrt")
    if any(name in expression for name in library_functions) or "@" in expression:
        tolerance = 2e-3 if "float16" in str(given_contents) or "int8" in str(given_contents) else 1e-5
    elif "**" in expression or (many and any(f".{m}()" in expression for m in ("mean", "std", "var", "sum", "prod"))):
        tolerance = 1e-2 if "float16" in str(given_contents) else 1e-4
    elif ".std()" in expression or ".var()" in expression:
        tolerance = 2**-51  # the order of a few additions differs
    assert close(found["value"], value, tolerance), (found, value)
    return "equal"


def test_expressions(library: Expressions) -> None:
    tally: collections.Counter[str] = collections.Counter()

    @given(EXPRESSIONS, scenes())
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    def compare(expression: str, variables: dict[str, Any]) -> None:
        tally[check(library, expression, variables)] += 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compare()
    # Most results are values, and not only errors of the same kind.
    assert tally["equal"] > tally["refused"]
    assert tally["equal"] > 0.2 * sum(tally.values())


# ---- expressions with one answer ----


TEXTS = [
    "s.upper()", "s.lower()", "s.title()", "s.capitalize()", "s.swapcase()", "s.find('l')", "s.rfind('l')", "s.count('l')",
    "s.startswith('He')", "s.endswith(('x', '!'))", "s.split()", "s.split('l')", "s.split('l', 1)", "s.strip('H!')", "s[::-1]",
    "s.replace('l', 'LL')", "s.replace('', '-', 3)", "'l' in s", "s + '?'", "s * 2", "s[1:4] == 'ell'", "s < 'I'", "len(s)",
    "s.isalpha()", "s.isascii()", "'12'.isdigit()", "'a\\x41\\u00e9' + r'\\n'", "max(s)", "s.index('o', 2)", "b'ab'[1]", "b'a' + b'b'",
    "' a  b '.split()", "' a  b c '.split(None, 1)", "'ß'.upper()", "''.split(',')", "'aXbX'.strip('X')", "('a', 1) < ('a', 2)",
    "s.center(20)", "s.center(4, '*')", "s.ljust(7, '.')", "s.rjust(15)", "'-7'.zfill(5)", "s.zfill(3)", "s.partition('l')",
    "s.rpartition('l')", "s.partition(', ')", "s.removeprefix('Hel')", "s.removesuffix('l')", "s.join(['a', 'b', 'c'])",
    "'-'.join(s)", "', '.join([])", "b'a,b'.partition(b',')",
]  # fmt: skip


@pytest.mark.parametrize("expression", TEXTS)
@pytest.mark.parametrize("value", ["Hello, wörld!", "", "l"])
def test_texts(library: Expressions, expression: str, value: str) -> None:
    variable, kept = text_variable(value)
    found = library.evaluate(expression, {"s": variable})
    try:
        expected = eval(expression, {"s": value})
    except (ValueError, IndexError) as error:
        text = str(error).replace("max() arg is an empty sequence", "max() iterable argument is empty")
        assert found["error"] == f"{type(error).__name__}: {text}"
        return
    assert found["value"] == plain_value(expected)
    assert found["text"] == repr(expected)
    assert kept is not None


ERRORS = [
    ("a[12]", "IndexError: index 12 is out of bounds for axis 0 with size 10"),
    ("a[1, 2]", "IndexError: too many indices for array: array is 1-dimensional, but 2 were indexed"),
    ("q", "NameError: name 'q' is not defined"), ("1 / 0", "ZeroDivisionError: division by zero"),
    ("n / 0.0", "ZeroDivisionError: division by zero"), ("a + 'x'", "TypeError: 'str' is no array of numbers"),
    ("1 + 'x'", "TypeError: unsupported operand type(s) for +: 'int' and 'str'"), ("n.x", "AttributeError: 'int' object has no attribute 'x'"),
    ("a.foo", "AttributeError: 'numpy.ndarray' object has no attribute 'foo'"), ("len(n)", "TypeError: object of type 'int' has no len()"),
    ("n[0]", "TypeError: 'int' object is not subscriptable"), ("a()", "TypeError: 'numpy.ndarray' object is not callable"),
    ("a < 3 < 4", "ValueError: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"),
    ("a[:0].max()", "ValueError: zero-size array to reduction operation maximum which has no identity"),
    ("1 < 'x'", "TypeError: '<' not supported between instances of 'int' and 'str'"), ("(1, 2)[5]", "IndexError: tuple index out of range"),
    ("a[a[:3] > 0]", "IndexError: boolean index did not match indexed array along axis 0; size of axis is 10 but size of corresponding boolean axis is 3"),
    ("a[::0]", "ValueError: slice step cannot be zero"), ("int('x')", "ValueError: invalid literal for int() with base 10: 'x'"),
    ("-'x'", "TypeError: bad operand type for unary -: 'str'"), ("[1, 2][3]", "IndexError: list index out of range"),
    ("'abc'.find()", "TypeError: find() does not take 0 arguments"), ("2 ** 200", "OverflowError: the integer has more than 127 bits"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "line"), ERRORS)
def test_errors(library: Expressions, expression: str, line: str) -> None:
    found = library.evaluate(expression, held(a=np.arange(10.0), n=np.int64(3)))
    assert (found["error"], found["offset"]) == (line, None)


SYNTAX = [
    ("a +* 2", 3, "invalid syntax"), ("(a", 0, "'(' was never closed"), ("a[1", 1, "'[' was never closed"), ("a)", 1, "unmatched ')'"),
    ("a b", 2, "invalid syntax"), ("'x", 0, "unterminated string literal (detected at line 1)"), ("1x", 0, "invalid decimal literal"),
    ("", 0, "invalid syntax"), ("a if b", 6, "expected 'else' after 'if' expression"),
    ("a[]", 2, "invalid syntax"), ("f(x=1, 2)", 7, "positional argument follows keyword argument"), ("a ? b", 2, "invalid syntax"),
    ("007", 0, "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers"),
    ("(" * 500, 200, "too much in one expression"), ("a.", 2, "invalid syntax"),
]  # fmt: skip


# Forms that Python has and expressions do not; the error names them.
NOT_SUPPORTED = [
    ("f'{n}'", 0, "f-strings are"), ("n == rF'{n}'", 5, "f-strings are"), ("'a' t'b'", 4, "t-strings are"),
    ("[x for x in a]", 3, "comprehensions are"), ("n in {x for x in a}", 8, "comprehensions are"),
    ("[x async for x in a]", 3, "comprehensions are"), ("any(x > 1 for x in a)", 10, "generator expressions are"),
    ("(x for x in a)", 3, "generator expressions are"), ("lambda: 1", 0, "lambda is"),
    ("max(a, key=lambda x: x)", 11, "lambda is"), ("(n := 3)", 3, "':=' is"), ("await n", 0, "await is"),
    ("(yield n)", 1, "yield is"), ("max(*a)", 4, "unpacking with * is"), ("max(n, **a)", 7, "unpacking with * is"),
    ("[1, *a]", 4, "unpacking with * is"), ("a[*n]", 2, "unpacking with * is"), ("a = 3", 2, "assignment (=) is"),
    ("n == {}", 5, "a dictionary or a set is"), ("{1, 2}", 0, "a dictionary or a set is"),
    ("n in {}", 5, "a dictionary or a set is"), ("n in {1: 2}", 7, "a dictionary is"),
]  # fmt: skip
SYNTAX += [
    (text, offset, f"{form} not supported in an expression; 'help jit print' lists what is")
    for text, offset, form in NOT_SUPPORTED
]


@pytest.mark.parametrize(("expression", "offset", "reason"), SYNTAX)
def test_syntax_errors(library: Expressions, expression: str, offset: int, reason: str) -> None:
    found = library.evaluate(expression, {})
    assert (found["error"], found["offset"]) == (f"SyntaxError: {reason}", offset)


def test_work_is_proportional_to_what_is_shown() -> None:
    library = Expressions()
    try:
        flat = np.empty(10**9, "f8")  # never touched, and so without memory
        variables = held(a=flat, b=np.int64(2))
        found = library.evaluate("(a * b + a)[::-1]", variables)
        assert found["value"]["shape"] == [10**9]
        assert library.wanted() <= 2 * 2 * 8 * (200 + 64)  # text and JSON
    finally:
        library.close()


def test_unreadable_memory_and_labels(library: Expressions) -> None:
    nowhere = ("array(float64, 1d, C)", struct.pack("<QQqqQqq", 0, 0, 4, 8, 0x10, 4, 8))
    assert library.evaluate("a + 1", {"a": nowhere})["error"] == "<unreadable: 0x10 (32 bytes)>"
    assert library.evaluate("a.sum()", {"a": nowhere})["error"] == "<unreadable: 0x10 (32 bytes)>"
    assert library.evaluate("a.shape", {"a": nowhere})["text"] == "(4,)"
    nonsense = ("array(float64, 1d, C)", struct.pack("<QQqqQqq", 0, 0, 5, 8, 0x10, 4, 8))
    assert library.evaluate("a + 1", {"a": nonsense})["error"].startswith("<unknown: shape (4,)")
    assert library.evaluate("o + 1", {"o": ("OptionalType(int64)", bytes(16))})["error"] == (
        "TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'"
    )
    flag = bytes(8) + b"\x95" + bytes(7)
    assert library.evaluate("o + 1", {"o": ("OptionalType(int64)", flag)})["error"] == "<unknown: valid flag is 149>"


def test_a_long_reduction_asks_and_is_cancelled(library: Expressions) -> None:
    asked: list[tuple[int, int]] = []

    def poll(done: int, total: int) -> int:
        asked.append((done, total))
        return len(asked) == 3

    a = np.ones(10**7, "i1")
    with pytest.raises(Cancelled):
        library.evaluate("a.sum()", held(a=a), poll)
    assert [total for _, total in asked] == [10**7] * 3
    assert library.evaluate("a.sum()", held(a=a), lambda _done, _total: 0)["value"] == 10**7

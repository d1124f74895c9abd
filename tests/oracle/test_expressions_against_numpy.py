"""Expressions over generated variables, evaluated in C on this process's memory, against Python and NumPy."""

from __future__ import annotations

import math
import os
import struct
from typing import Any

import numpy as np
import pytest
from expression_reference import Evaluator, TooWide
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inspect_expressions import Cancelled, Expressions

EXAMPLES = int(os.environ.get("JITSCOPE_EXAMPLES", "1500"))


@pytest.fixture(scope="module")
def library() -> Any:
    lib = Expressions()
    yield lib
    lib.close()


# ---- variables ----

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
EDGES = [0, 1, -1, 2, 3, 7, 100, 127, 128, 200, 255, 32767, 65535, 2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1]
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 2.5, 1e-8, 3.25, 1e10, math.inf, -math.inf, math.nan, 65504.0, 1e300, 5e-324]


def describe(array: np.ndarray[Any, Any]) -> bytes:
    """The descriptor that Numba makes of an array (numba/_arraystruct.h)."""
    head = struct.pack("<QQqqQ", 0, 0, array.size, array.itemsize, array.ctypes.data)
    return head + struct.pack(f"<{2 * array.ndim}q", *array.shape, *array.strides)


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


LETTERS = {"?": "bool", "f2": "float16", "f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128"}


def type_text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"array({value.dtype}, {value.ndim}d, A)"
    return str(value.dtype)


def contents(value: Any) -> tuple[str, bytes]:
    if isinstance(value, np.ndarray):
        return type_text(value), describe(value)
    if isinstance(value, tuple):
        return "Tuple(int64, float64, int64)", b"".join(item.tobytes() for item in value)
    return type_text(value), value.tobytes()


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
METHODS = "sum mean std var min max argmin argmax any all prod".split()


def grow(inner: Any) -> Any:
    return st.one_of(
        st.builds("({} {} {})".format, inner, ARITHMETIC, inner),
        st.builds("({} {} {})".format, inner, ARITHMETIC, inner),
        st.builds("({} {} {})".format, inner, COMPARISON, inner),
        st.builds("({} {} {} {} {})".format, inner, COMPARISON, inner, COMPARISON, inner),
        st.builds("({}{})".format, st.sampled_from(["-", "+", "~", "not "]), inner),
        st.builds("{}[{}]".format, inner, SUBSCRIPT),
        st.builds("{0}[{0} {1} {2}]".format, st.sampled_from("abc"), COMPARISON, SMALL),
        st.builds("{}.{}()".format, inner, st.sampled_from(METHODS)),
        st.builds("{}.{}".format, inner, st.sampled_from(["shape", "T", "size", "ndim", "real", "imag"])),
        st.builds("{}({})".format, st.sampled_from("len abs isnan isinf min max sum int float bool round".split()), inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or", "in", "not in"]), inner),
        st.builds("({}, {})".format, inner, inner),
        st.builds("[{}, {}]".format, inner, inner),
    )  # fmt: skip


EXPRESSIONS = st.recursive(NAMES | NAMES | LITERALS | st.just("t"), grow, max_leaves=6)

# Refused in so many words, where Python has an answer.
REFUSED = ("not known here", "goes through the rows", "no array of numbers", "does not take")


def plain_value(value: Any) -> Any:
    """As js_value_render_json has it."""
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "data": [plain_value(item) for item in value.ravel()[:64]]}
    if isinstance(value, np.generic):
        value = value.item() if not isinstance(value, np.complexfloating) else complex(value)
    if isinstance(value, (tuple, list)):
        return {"tuple" if isinstance(value, tuple) else "list": [plain_value(item) for item in value]}
    if isinstance(value, complex):
        return {"re": plain_value(value.real), "im": plain_value(value.imag)}
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def kind_text(value: Any) -> str:
    """The beginning of js_expression_type."""
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


def close(mine: Any, expected: Any, tolerance: float) -> bool:
    if type(mine) is not type(expected):
        return False
    if isinstance(mine, dict):
        return mine.keys() == expected.keys() and all(close(mine[k], expected[k], tolerance) for k in mine)
    if isinstance(mine, list):
        return len(mine) == len(expected) and all(close(m, e, tolerance) for m, e in zip(mine, expected))
    if isinstance(mine, float):
        if tolerance:
            return mine == expected or abs(mine - expected) <= tolerance * max(abs(mine), abs(expected))
        return repr(mine) == repr(expected)
    return bool(mine == expected)


def check(library: Expressions, expression: str, variables: dict[str, Any]) -> str:
    """"equal", "raised" or "refused"; asserts otherwise."""
    given_contents = {name: contents(value) for name, value in variables.items()}
    found = library.evaluate(expression, given_contents)
    try:
        expected = Evaluator(variables).run(expression)
    except TooWide:
        assert found.get("error", "").startswith(("OverflowError", "MemoryError")), found
        return "refused"
    except Exception as error:
        assert "error" in found, (found, error)
        mine = found["error"]
        if any(word in mine for word in REFUSED):
            return "refused"
        name = type(error).__name__
        name = "TypeError" if name == "UFuncTypeError" or name.startswith("_UFunc") else name
        assert mine.split(":")[0] == name, (mine, repr(error))
        if name in ("IndexError", "NameError") or "broadcast" in str(error):
            known = ("invalid index to scalar", "only integers", "out of range", "0-dimensional")
            if not any(word in str(error) for word in known):
                assert mine == f"{name}: {error}", (mine, repr(error))
        return "raised"
    if "truth value of an array" in found.get("error", "") and ", " in expression:
        return "refused"  # of tuples and lists Python compares the items' identity first
    if "error" in found:
        assert any(word in found["error"] for word in REFUSED), (found, expected)
        return "refused"
    assert found["state"] == "exact"
    assert found["type"].startswith(kind_text(expected)), (found["type"], expected)
    value = plain_value(expected)
    many = any(isinstance(v, np.ndarray) and v.ndim > 1 for v in variables.values())
    tolerance = 0.0
    if "**" in expression or (many and any(f".{m}()" in expression for m in ("mean", "std", "var", "sum", "prod"))):
        tolerance = 1e-2 if "float16" in str(given_contents) else 1e-4
    assert close(found["value"], value, tolerance), (found, value)
    return "equal"


tally: dict[str, int] = {}


@given(EXPRESSIONS, scenes())
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_expressions(library: Expressions, expression: str, variables: dict[str, Any]) -> None:
    outcome = check(library, expression, variables)
    tally[outcome] = tally.get(outcome, 0) + 1


def test_most_are_answered() -> None:
    """That the comparison above compares: values, and errors of the same kind."""
    assert tally["equal"] > tally["refused"]
    assert tally["equal"] > 0.3 * sum(tally.values())
    print(tally)


_ = Cancelled

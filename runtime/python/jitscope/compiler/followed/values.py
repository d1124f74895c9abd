"""Values that are known while a call of a compiled function is followed: numbers, strings, tuples and lists of them,
and arrays. What is not known is UNKNOWN."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba.core.runtime import _nrt_python

from jitscope.compiler.followed.programs import BOOLEAN, FLOAT, INTEGER, OTHER, SINGLE, SMALL, TEXT, Statement

UNKNOWN: Any = ...  # a value that is not known; if a statement assigns it, it may have raised
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
_EXACT_SINGLE = 1 << 24  # integers up to it are numbers of float32
_TEXT = 256  # characters of a string that is known
_CONTENT = 8192  # bytes of an array whose elements are known
# of arrays whose elements are known
_DTYPES = {np.dtype(each): each for each in ("int64", "float64", "bool", "float32", *SMALL)}
_NUMBERS = (np.int64, np.float64, np.bool_, np.float32, *(getattr(np, each) for each in SMALL))
_RANGES = {each: (int(np.iinfo(each).min), int(np.iinfo(each).max)) for each in (*SMALL, "int64")}

Environment = dict[Any, Any]  # the values of variables that are known, the states of iterators, and the lists' items


class Raises(Exception):
    """The operation raises for certain."""


class Passes(Exception):
    """The operation raises nothing for certain, but its value is not known."""


class Array(NamedTuple):
    """`content`: the bytes of its elements in C order, None if they are not known; `dtype`: their type's name."""

    shape: tuple[int, ...]
    content: bytes | None = None
    dtype: str = ""

    def elements(self) -> Any:
        """Return a NumPy array with the elements, which are known."""
        return np.frombuffer(self.content or b"", self.dtype).reshape(self.shape)


class Never(NamedTuple):
    """A range whose step is 0, which raises where it is used."""


class Slice(NamedTuple):
    start: int | None
    stop: int | None
    step: int | None


class IteratorKey(NamedTuple):
    """The key of an iterator in an environment."""

    variable: str


class Held(NamedTuple):
    """The key of a list in an environment, where its items are. `number`: of lists that one statement has made."""

    variable: str
    number: int


class Method(NamedTuple):
    """A method of a list or an array."""

    of: Held | Array
    name: str


def known(value: Any, has_content: bool = False) -> Any:
    """Return an argument as it is followed: numbers, strings, tuples of them, and the lengths of arrays are known.
    `has_content`: elements of arrays are what they were when the function was called."""
    if isinstance(value, tuple):  # also of named fields
        return tuple(known(each, has_content) for each in value)
    if value is None or type(value) in (int, bool, float):
        return value
    if type(value) is str:
        return value if len(value) <= _TEXT else UNKNOWN
    if type(value) is np.ndarray:
        dtype = _DTYPES.get(value.dtype) if has_content and value.nbytes <= _CONTENT else None
        return array_of(value) if dtype and _is_own(value) else Array(value.shape)
    return value.item() if type(value) in _NUMBERS else UNKNOWN


def array_of(array: Any) -> Array:
    """Return an array of NumPy with its elements."""
    return Array(array.shape, array.tobytes(), array.dtype.name)


def _is_own(array: Any) -> bool:
    """True if the memory is NumPy's or Numba's own, so that no other process and no device writes to it."""
    while type(array.base) is np.ndarray:
        array = array.base
    return bool(array.flags.owndata) if array.base is None else type(array.base) is _nrt_python._MemInfo


def passed(value: Any) -> Any:
    """Return a value as another function gets it."""
    if type(value) is tuple:
        return tuple(passed(each) for each in value)
    return UNKNOWN if type(value) in (Held, Method, IteratorKey) else value


def forget(environment: Environment, name: str) -> None:
    """Drop the items of all lists that are in a variable: they may have others now."""
    for each in lists(environment.get(name, UNKNOWN)):
        environment.pop(each, None)


def lists(value: Any) -> Iterator[Held]:
    if type(value) is Held:
        yield value
    elif type(value) is Method:
        yield from lists(value.of)
    elif type(value) is tuple:
        for each in value:
            yield from lists(each)


def assign(environment: Environment, statement: Statement, value: Any) -> None:
    """Set the variable that the statement assigns."""
    if not statement.target:
        return
    value = as_kind(value, statement.kind)
    if value is UNKNOWN:
        environment.pop(statement.target, None)
    else:
        environment[statement.target] = value


def as_kind(value: Any, kind: str) -> Any:
    """Return a number as a variable of this kind holds it, and what is no number as it is."""
    if kind == TEXT:
        return value if type(value) is str else UNKNOWN
    is_number = type(value) in (int, bool, float)
    if kind == OTHER or not is_number:
        return UNKNOWN if is_number or kind != OTHER else value
    if kind == FLOAT:
        return float(value) if type(value) is float or abs(value) <= HIGHEST else UNKNOWN
    if kind == SINGLE:
        return _single(value)
    if type(value) is float:
        return UNKNOWN
    if kind == BOOLEAN:
        return bool(value)
    lowest, highest = _RANGES["int64" if kind == INTEGER else kind]
    return int(value) if lowest <= value <= highest else UNKNOWN


def _single(value: Any) -> Any:
    """Return a number as a variable of float32 holds it."""
    if type(value) is not float and abs(value) > _EXACT_SINGLE:
        return UNKNOWN
    with np.errstate(over="ignore"):
        return float(np.float32(value))

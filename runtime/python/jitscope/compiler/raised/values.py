"""Computes what a statement of a compiled function assigns, as the compiled code does: numbers, tuples and lists of
numbers, and the lengths of arrays. What is not known is UNKNOWN."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from jitscope.compiler.raised.programs import BOOLEAN, FLOAT, INTEGER, OTHER, Statement

UNKNOWN: Any = ...  # a value that is not known; if a statement assigns it, it may have raised
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
_EXACT = 1 << 53  # integers below it are floats
_LONGEST = 5000  # values that an iterator goes through
_LARGEST = 1 << 24  # elements of an array that is sure to get its memory

Environment = dict[Any, Any]  # the values of variables that are known, the states of iterators, and the lists' items


class Raises(Exception):
    """The operation raises for certain."""


class Passes(Exception):
    """The operation raises nothing for certain, but its value is not known."""


class Array(NamedTuple):
    shape: tuple[int, ...]


class _Slice(NamedTuple):
    start: int | None
    stop: int | None
    step: int | None


class _Iterator(NamedTuple):
    """The key of an iterator in an environment."""

    variable: str


class _Held(NamedTuple):
    """The key of a list in an environment, where its items are. `number`: of lists that one statement has made."""

    variable: str
    number: int


class _Method(NamedTuple):
    """A method of a list."""

    of: _Held
    name: str


def known(value: Any) -> Any:
    """Return an argument as it is followed: numbers, tuples of numbers, and the lengths of arrays are known."""
    if type(value) is tuple:
        return tuple(known(each) for each in value)
    if value is None or type(value) in (int, bool, float):
        return value
    if type(value) is np.ndarray:
        return Array(value.shape)
    return value.item() if type(value) in (np.int64, np.float64) else UNKNOWN


def passed(value: Any) -> Any:
    """Return a value as another function gets it."""
    if type(value) is tuple:
        return tuple(passed(each) for each in value)
    return UNKNOWN if type(value) in (_Held, _Method, _Iterator) else value


def write(environment: Environment, name: str) -> None:
    """Drop the items of all lists that are in a variable: they may have others now."""
    for each in _lists(environment.get(name, UNKNOWN)):
        environment.pop(each, None)


def _lists(value: Any) -> Iterator[_Held]:
    if type(value) is _Held:
        yield value
    elif type(value) is _Method:
        yield value.of
    elif type(value) is tuple:
        for each in value:
            yield from _lists(each)


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
    is_number = type(value) in (int, bool, float)
    if kind == OTHER or not is_number:
        return UNKNOWN if is_number or kind != OTHER else value
    if kind == FLOAT:
        return float(value) if abs(value) <= HIGHEST else UNKNOWN
    if type(value) is float:
        return UNKNOWN
    if kind == BOOLEAN:
        return bool(value)
    return int(value) if LOWEST <= value <= HIGHEST else UNKNOWN


def compute(statement: Statement, known: Environment) -> Any:
    """Return what a statement computes, and do what it does with lists."""
    function = _OPERATIONS.get(statement.operation)
    if function is not None:
        return function(statement, known)
    for name in statement.operands:
        write(known, name)
    return UNKNOWN


def _constant(statement: Statement, known: Environment) -> Any:
    return statement.operands[0]


def _copy(statement: Statement, known: Environment) -> Any:
    return known.get(statement.operands[0], UNKNOWN)


def _unary(statement: Statement, known: Environment) -> Any:
    name, operand = statement.operands
    value = known.get(operand, UNKNOWN)
    if value is UNKNOWN or (name == "invert" and type(value) is not int):
        return UNKNOWN
    function = _UNARY.get(name)
    return function(value) if function is not None else UNKNOWN


def _binary(statement: Statement, known: Environment) -> Any:
    name, left, right, *kinds = statement.operands
    kind = FLOAT if FLOAT in kinds else INTEGER
    numbers = [as_kind(as_kind(known.get(each, UNKNOWN), own), kind) for each, own in zip((left, right), kinds)]
    if UNKNOWN in numbers:
        return UNKNOWN
    one, other = numbers
    if name in _COMPARISONS:
        return _COMPARISONS[name](one, other)
    if name in _DIVISIONS and other == 0:
        raise Raises
    if kind == FLOAT:
        return _FLOATS[name](one, other) if name in _FLOATS else UNKNOWN
    if name == "truediv":
        return one / other if max(abs(one), abs(other)) < _EXACT else UNKNOWN
    if name == "rshift" and not 0 <= other < 64:
        return UNKNOWN
    return _INTEGERS[name](one, other) if name in _INTEGERS else UNKNOWN


def _range(statement: Statement, known: Environment) -> Any:
    numbers = [known.get(each, UNKNOWN) for each in statement.operands]
    if not all(type(each) is int and abs(each) < _EXACT for each in numbers):
        return UNKNOWN
    if len(numbers) == 3 and numbers[2] == 0:
        raise Raises
    return range(*numbers)


def _length(statement: Statement, known: Environment) -> Any:
    value = known.get(statement.operands[0], UNKNOWN)
    if type(value) is Array:
        return value.shape[0] if value.shape else UNKNOWN
    value = known.get(value, UNKNOWN) if type(value) is _Held else value
    return len(value) if type(value) in (tuple, range) else UNKNOWN


def _converted(statement: Statement, known: Environment) -> Any:
    kind = {"bool": BOOLEAN, "int": INTEGER, "float": FLOAT}[statement.operation]
    return as_kind(known.get(statement.operands[0], UNKNOWN), kind)


def _of_integers(statement: Statement, known: Environment) -> Any:
    numbers = [known.get(each, UNKNOWN) for each in statement.operands]
    if not all(type(each) is int for each in numbers) or (len(numbers) < 2 and statement.operation != "abs"):
        return UNKNOWN
    if statement.operation == "abs":
        return abs(numbers[0])
    return (min if statement.operation == "min" else max)(numbers)


def _iterator(statement: Statement, known: Environment) -> Any:
    """Return the key of an iterator: what it goes through, and how far it has come, is in the environment."""
    value, key = _values(known.get(statement.operands[0], UNKNOWN)), _Iterator(statement.target)
    known.pop(key, None)
    if value is UNKNOWN:
        return UNKNOWN
    known[key] = value, 0
    return key


def _values(value: Any) -> Any:
    """Return the values that an iterator over a value goes through."""
    if type(value) is Array and value.shape and value.shape[0] <= _LONGEST:
        return (Array(value.shape[1:]) if value.shape[1:] else UNKNOWN,) * value.shape[0]
    return value if type(value) in (tuple, range) else UNKNOWN


def _several(statement: Statement, known: Environment) -> Any:
    """Return the values of enumerate() and zip()."""
    found = [_values(known.get(each, UNKNOWN)) for each in statement.operands]
    if UNKNOWN in found or not found or min(map(len, found)) > _LONGEST:
        return UNKNOWN
    if statement.operation == "zip":
        return tuple(zip(*found))
    return tuple(enumerate(found[0])) if len(found) == 1 else UNKNOWN


def _next(statement: Statement, known: Environment) -> Any:
    """Return the next value of an iterator, and whether there is one."""
    key = known.get(statement.operands[0], UNKNOWN)
    values, index = known.get(key, UNKNOWN) if type(key) is _Iterator else ((), -1)
    if index < 0:
        return UNKNOWN
    if index == len(values):
        return UNKNOWN, False
    known[key] = values, index + 1
    return values[index], True


def _item(statement: Statement, known: Environment) -> Any:
    operand, index = statement.operands
    value = known.get(operand, UNKNOWN)
    return value[index] if type(value) is tuple and -len(value) <= index < len(value) else UNKNOWN


def _exhaust(statement: Statement, known: Environment) -> Any:
    operand, count = statement.operands
    value = known.get(operand, UNKNOWN)
    return value if type(value) is tuple and len(value) == count else UNKNOWN


def _tuple(statement: Statement, known: Environment) -> Any:
    return tuple(known.get(each, UNKNOWN) for each in statement.operands)


# -- arrays


def _new_array(statement: Statement, known: Environment) -> Any:
    """Return what numpy.arange(), zeros(), ones() or empty() makes."""
    values = [known.get(each, UNKNOWN) for each in statement.operands]
    if statement.operation == "arange":
        if not all(type(each) is int and abs(each) < _EXACT for each in values) or values[2:] == [0]:
            return UNKNOWN
        shape: tuple[int, ...] = (len(range(*values)),)
    else:
        shape = values[0] if type(values[0]) is tuple else (values[0],)
    if not all(type(each) is int for each in shape):
        return UNKNOWN
    if min(shape, default=0) < 0:
        raise Raises
    return Array(shape) if math.prod(shape) < _LARGEST else UNKNOWN


def _attribute(statement: Statement, known: Environment) -> Any:
    operand, name = statement.operands
    value = known.get(operand, UNKNOWN)
    if type(value) is not Array:
        return UNKNOWN
    return {"size": math.prod(value.shape), "shape": value.shape, "ndim": len(value.shape)}[name]


def _slice(statement: Statement, known: Environment) -> Any:
    values = [known.get(each, UNKNOWN) for each in statement.operands]
    if len(values) < 2 or not all(each is None or type(each) is int for each in values):
        return UNKNOWN
    return _Slice(values[0], values[1], values[2] if values[2:] else None)


def _subscript(array: Array, index: Any) -> Any:
    """Return what the array's element with the index is, as far as it is known."""
    indices = index if type(index) is tuple else (index,)
    if len(indices) > len(array.shape) or not all(type(each) in (int, _Slice) for each in indices):
        return UNKNOWN
    shape = []
    for length, each in zip(array.shape, indices):
        if type(each) is _Slice:
            if each.step == 0:
                return UNKNOWN
            shape.append(len(range(*slice(*each).indices(length))))
        elif not -length <= each < length:
            raise Raises
    shape += array.shape[len(indices) :]
    if not shape:
        raise Passes
    return Array(tuple(shape))


def _subscript_of(statement: Statement, known: Environment) -> Any:
    value, index = (known.get(each, UNKNOWN) for each in statement.operands[:2])
    if type(value) is Array:
        return _subscript(value, index)
    if type(value) is tuple and type(index) is int and -len(value) <= index < len(value):
        return value[index]
    items = known.get(value, UNKNOWN) if type(value) is _Held else UNKNOWN
    return _item_of(items, index) if items is not UNKNOWN and type(index) is int else UNKNOWN


def _item_of(items: tuple[Any, ...], index: int) -> Any:
    if not -len(items) <= index < len(items):
        raise Raises
    if items[index] is UNKNOWN:
        raise Passes
    return items[index]


def _set_subscript(statement: Statement, known: Environment) -> Any:
    target, at, new = statement.operands
    value, index = known.get(target, UNKNOWN), known.get(at, UNKNOWN)
    if type(value) is Array and type(index) is int and len(value.shape) == 1:
        return _subscript(value, index)
    for each in target, new:
        write(known, each)
    return UNKNOWN


# -- lists


def _list(statement: Statement, known: Environment) -> Any:
    kind, *names = statement.operands
    used = {each for name, value in known.items() if name != statement.target for each in _lists(value)}
    for each in [each for each in known if type(each) is _Held and each not in used]:
        del known[each]
    number = 0
    while _Held(statement.target, number) in used:
        number += 1
    made = _Held(statement.target, number)
    known[made] = tuple(as_kind(known.get(each, UNKNOWN), kind) for each in names)
    return made


def _bound(statement: Statement, known: Environment) -> Any:
    operand, name = statement.operands
    value = known.get(operand, UNKNOWN)
    return _Method(value, name) if type(value) is _Held else UNKNOWN


def _method(statement: Statement, known: Environment) -> Any:
    method, values = known.get(statement.operands[0], UNKNOWN), []
    for each in statement.operands[1:]:
        values.append(known.get(each, UNKNOWN))
    items = known.get(method.of, UNKNOWN) if type(method) is _Method else UNKNOWN
    if items is not UNKNOWN and method.name == "index" and len(values) == 1:
        return _index(items, values[0])
    if items is not UNKNOWN and method.name == "pop" and len(values) < 2 and all(type(each) is int for each in values):
        return _pop(known, method.of, *values)
    for name in statement.operands:
        write(known, name)
    return UNKNOWN


def _index(items: tuple[Any, ...], value: Any) -> Any:
    if UNKNOWN in items or value is UNKNOWN or any(type(each) is not type(value) for each in items):
        return UNKNOWN
    if value not in items:
        raise Raises
    return items.index(value)


def _pop(known: Environment, held: _Held, index: int = -1) -> Any:
    items = list(known[held])
    if not -len(items) <= index < len(items):
        raise Raises
    found = items.pop(index)
    known[held] = tuple(items)
    if found is UNKNOWN:
        raise Passes
    return found


_OPERATIONS: dict[str, Callable[[Statement, Environment], Any]] = {
    "constant": _constant,
    "copy": _copy,
    "unary": _unary,
    "binary": _binary,
    "range": _range,
    "len": _length,
    "bool": _converted,
    "int": _converted,
    "float": _converted,
    "abs": _of_integers,
    "min": _of_integers,
    "max": _of_integers,
    "getiter": _iterator,
    "iternext": _next,
    "item": _item,
    "exhaust": _exhaust,
    "tuple": _tuple,
    "slice": _slice,
    "enumerate": _several,
    "zip": _several,
    "attribute": _attribute,
    "getitem": _subscript_of,
    "setitem": _set_subscript,
    "list": _list,
    "bound": _bound,
    "method": _method,
    **dict.fromkeys(("arange", "zeros", "ones", "empty"), _new_array),
}
_UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": operator.neg,
    "pos": operator.pos,
    "invert": operator.invert,
    "not_": operator.not_,
}
_COMPARISONS = {name: getattr(operator, name) for name in ("lt", "le", "eq", "ne", "gt", "ge")}
_DIVISIONS = ("floordiv", "mod", "truediv")
_FLOATS = {name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv")}
_INTEGERS = {
    name: getattr(operator, name) for name in ("add", "sub", "mul", "floordiv", "mod", "and_", "or_", "xor", "rshift")
}

"""Computes with arrays, mostly with their lengths alone, and with lists."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jitscope.compiler.followed.programs import Statement
from jitscope.compiler.followed.values import (
    UNKNOWN,
    Array,
    Environment,
    Held,
    Method,
    Passes,
    Raises,
    Slice,
    array_of,
    as_kind,
    forget,
    lists,
)

_EXACT = 1 << 53  # a greater number is no length
_LARGEST = 1 << 24  # elements of an array that is sure to get its memory

# -- arrays


def new_array(statement: Statement, known: Environment) -> Any:
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


def attribute(statement: Statement, known: Environment) -> Any:
    operand, name = statement.operands
    value = known.get(operand, UNKNOWN)
    if type(value) is not Array:
        return UNKNOWN
    return {"size": math.prod(value.shape), "shape": value.shape, "ndim": len(value.shape)}[name]


def broadcast(statement: Statement, known: Environment) -> Any:
    """Return what an expression of arrays and numbers makes: its shape is that to which all can be broadcast."""
    values = [known.get(each, UNKNOWN) for each in statement.operands]
    shapes = [each.shape for each in values if type(each) is Array]
    if not shapes or any(type(each) not in (Array, int, bool, float) for each in values):
        return UNKNOWN
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        raise Raises from None
    return Array(shape) if math.prod(shape) < _LARGEST else UNKNOWN


def _of_array(array: Array, name: str, values: list[Any]) -> Any:
    """Return what a method of an array returns, as far as it is known."""
    if name == "copy" and not values:
        return Array(array.shape)
    if name == "sum" and not values:
        raise Passes
    if name in ("min", "max", "argmin", "argmax") and not values:
        if math.prod(array.shape) == 0:
            raise Raises
        raise Passes
    if name != "reshape" or not values:
        return UNKNOWN
    shape = values[0] if len(values) == 1 and type(values[0]) is tuple else tuple(values)
    if not all(type(each) is int and each >= 0 for each in shape) or math.prod(shape) >= _LARGEST:
        return UNKNOWN
    if math.prod(shape) != math.prod(array.shape):
        raise Raises
    return Array(shape)


def build_slice(statement: Statement, known: Environment) -> Any:
    values = [known.get(each, UNKNOWN) for each in statement.operands]
    if len(values) < 2 or not all(each is None or type(each) is int for each in values):
        return UNKNOWN
    return Slice(values[0], values[1], values[2] if values[2:] else None)


def _element(array: Array, index: Any) -> Any:
    """Return what the array's element with the index is, as far as it is known."""
    indices = index if type(index) is tuple else (index,)
    if len(indices) > len(array.shape) or not all(type(each) in (int, Slice) for each in indices):
        return UNKNOWN
    shape: list[int] = []
    for length, each in zip(array.shape, indices):
        if type(each) is Slice:
            if each.step == 0:
                return UNKNOWN
            shape.append(len(range(*slice(*each).indices(length))))
        elif not -length <= each < length:
            raise Raises
    shape += array.shape[len(indices) :]
    if array.content is not None:
        found = array.elements()[tuple(slice(*each) if type(each) is Slice else each for each in indices)]
        return array_of(found) if shape else found.item()
    if not shape:
        raise Passes
    return Array(tuple(shape))


def subscript(statement: Statement, known: Environment) -> Any:
    value, index = (known.get(each, UNKNOWN) for each in statement.operands[:2])
    if type(value) is Array:
        return _element(value, index)
    if type(value) is str and type(index) is int:
        return _item_of(value, index)
    if type(value) is tuple and type(index) is int and -len(value) <= index < len(value):
        return value[index]
    items = known.get(value, UNKNOWN) if type(value) is Held else UNKNOWN
    return _item_of(items, index) if items is not UNKNOWN and type(index) is int else UNKNOWN


def _item_of(items: Any, index: int) -> Any:
    if not -len(items) <= index < len(items):
        raise Raises
    if items[index] is UNKNOWN:
        raise Passes
    return items[index]


def set_subscript(statement: Statement, known: Environment) -> Any:
    target, at, new = statement.operands
    value, index = known.get(target, UNKNOWN), known.get(at, UNKNOWN)
    if type(value) is Array and type(index) is int and len(value.shape) == 1:
        return _element(value, index)
    for each in target, new:
        forget(known, each)
    return UNKNOWN


# -- lists


def new_list(statement: Statement, known: Environment) -> Any:
    kind, *names = statement.operands
    used = {each for name, value in known.items() if name != statement.target for each in lists(value)}
    for each in [each for each in known if type(each) is Held and each not in used]:
        del known[each]
    number = 0
    while Held(statement.target, number) in used:
        number += 1
    made = Held(statement.target, number)
    known[made] = tuple(as_kind(known.get(each, UNKNOWN), kind) for each in names)
    return made


def bound(statement: Statement, known: Environment) -> Any:
    operand, name = statement.operands
    value = known.get(operand, UNKNOWN)
    return Method(value, name) if type(value) in (Held, Array) else UNKNOWN


def call_method(statement: Statement, known: Environment) -> Any:
    method, values = known.get(statement.operands[0], UNKNOWN), []
    for each in statement.operands[1:]:
        values.append(known.get(each, UNKNOWN))
    if type(method) is Method and type(method.of) is Array:
        return _of_array(method.of, method.name, values)
    items = known.get(method.of, UNKNOWN) if type(method) is Method else UNKNOWN
    if items is not UNKNOWN and method.name == "index" and len(values) == 1:
        return _index(items, values[0])
    if items is not UNKNOWN and method.name == "pop" and len(values) < 2 and all(type(each) is int for each in values):
        return _pop(known, method.of, *values)
    for name in statement.operands:
        forget(known, name)
    return UNKNOWN


def _index(items: tuple[Any, ...], value: Any) -> Any:
    if UNKNOWN in items or value is UNKNOWN or any(type(each) is not type(value) for each in items):
        return UNKNOWN
    if value not in items:
        raise Raises
    return items.index(value)


def _pop(known: Environment, held: Held, index: int = -1) -> Any:
    items = list(known[held])
    if not -len(items) <= index < len(items):
        raise Raises
    found = items.pop(index)
    known[held] = tuple(items)
    if found is UNKNOWN:
        raise Passes
    return found

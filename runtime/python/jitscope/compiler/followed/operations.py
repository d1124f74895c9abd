"""Computes what a statement of a compiled function assigns, as the compiled code does."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from jitscope.compiler.followed import containers
from jitscope.compiler.followed.programs import BOOLEAN, FLOAT, INTEGER, SINGLE, TEXT, Statement
from jitscope.compiler.followed.values import (
    UNKNOWN,
    Array,
    Environment,
    Held,
    IteratorKey,
    Never,
    Raises,
    array_of,
    as_kind,
    forget,
)

_EXACT = 1 << 53  # integers below it are floats
_LONGEST = 5000  # values that an iterator goes through


def compute(statement: Statement, known: Environment) -> Any:
    """Return what a statement computes, and do what it does with lists."""
    function = _OPERATIONS.get(statement.operation)
    if function is not None:
        return function(statement, known)
    for name in statement.operands:
        forget(known, name)
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
    kind = next((each for each in (TEXT, FLOAT, SINGLE) if each in kinds), INTEGER)
    if kind in (FLOAT, SINGLE) and SINGLE in kinds and any(each != SINGLE for each in kinds):
        return UNKNOWN
    numbers = [as_kind(as_kind(known.get(each, UNKNOWN), own), kind) for each, own in zip((left, right), kinds)]
    if UNKNOWN in numbers:
        return UNKNOWN
    one, other = numbers
    if name in _COMPARISONS:
        return _COMPARISONS[name](one, other)
    if kind == TEXT:
        return UNKNOWN
    if name in _DIVISIONS and other == 0:
        raise Raises
    if kind in (FLOAT, SINGLE):  # for float32, the target's kind rounds it once more (as_kind())
        return _FLOATS[name](one, other) if name in _FLOATS else UNKNOWN
    if name == "truediv":
        return one / other if max(abs(one), abs(other)) < _EXACT else UNKNOWN
    if name in ("lshift", "rshift", "pow") and not 0 <= other < 64:
        return UNKNOWN
    return _INTEGERS[name](one, other) if name in _INTEGERS else UNKNOWN


def _compared(statement: Statement, known: Environment) -> Any:
    """Compare numbers in code that the optimiser may change as if they were real numbers."""
    values = [known.get(each, UNKNOWN) for each in statement.operands[1:3]]
    if not all(type(each) in (int, bool) or (type(each) is float and math.isfinite(each)) for each in values):
        return UNKNOWN
    return _binary(statement, known)


def _rounded(statement: Statement, known: Environment) -> Any:
    value = known.get(statement.operands[0], UNKNOWN)
    if type(value) is not float or not math.isfinite(value) or (statement.operation == "sqrt" and value < 0):
        return UNKNOWN
    return float(getattr(math, statement.operation)(value))


def _forget(statement: Statement, known: Environment) -> Any:
    """Drop the values of all variables that a parallel loop may assign."""
    for name in statement.operands:
        forget(known, name)
        known.pop(name, None)
    return UNKNOWN


def _range(statement: Statement, known: Environment) -> Any:
    numbers = [known.get(each, UNKNOWN) for each in statement.operands]
    if not all(type(each) is int and abs(each) < _EXACT for each in numbers):
        return UNKNOWN
    if len(numbers) == 3 and numbers[2] == 0:
        if statement.raises or statement.calls or statement.caught:
            raise Raises
        return Never()
    return range(*numbers)


def _length(statement: Statement, known: Environment) -> Any:
    value = known.get(statement.operands[0], UNKNOWN)
    if type(value) is Never:
        raise Raises
    if type(value) is Array:
        return value.shape[0] if value.shape else UNKNOWN
    value = known.get(value, UNKNOWN) if type(value) is Held else value
    return len(value) if type(value) in (tuple, range, str) else UNKNOWN


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
    value, key = _values(known.get(statement.operands[0], UNKNOWN)), IteratorKey(statement.target)
    known.pop(key, None)
    if type(value) is Never:
        raise Raises
    if value is UNKNOWN:
        return UNKNOWN
    known[key] = value, 0
    return key


def _values(value: Any) -> Any:
    """Return the values that an iterator over a value goes through."""
    if type(value) is Array and value.shape and value.shape[0] <= _LONGEST:
        if value.content is not None:
            return tuple(array_of(each) if value.shape[1:] else each.item() for each in value.elements())
        return (Array(value.shape[1:]) if value.shape[1:] else UNKNOWN,) * value.shape[0]
    return value if type(value) in (tuple, range, str, Never) else UNKNOWN


def _several(statement: Statement, known: Environment) -> Any:
    """Return the values of enumerate() and zip()."""
    found = [_values(known.get(each, UNKNOWN)) for each in statement.operands]
    if not found or any(type(each) not in (tuple, range) for each in found) or min(map(len, found)) > _LONGEST:
        return UNKNOWN
    if statement.operation == "zip":
        return tuple(zip(*found))
    return tuple(enumerate(found[0])) if len(found) == 1 else UNKNOWN


def _next(statement: Statement, known: Environment) -> Any:
    """Return the next value of an iterator, and whether there is one."""
    key = known.get(statement.operands[0], UNKNOWN)
    values, index = known.get(key, UNKNOWN) if type(key) is IteratorKey else ((), -1)
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


_OPERATIONS: dict[str, Callable[[Statement, Environment], Any]] = {
    "constant": _constant,
    "copy": _copy,
    "unary": _unary,
    "binary": _binary,
    "compare": _compared,
    "forget": _forget,
    **dict.fromkeys(("sqrt", "floor", "ceil"), _rounded),
    "broadcast": containers.broadcast,
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
    "slice": containers.build_slice,
    "enumerate": _several,
    "zip": _several,
    "attribute": containers.attribute,
    "getitem": containers.subscript,
    "setitem": containers.set_subscript,
    "list": containers.new_list,
    "bound": containers.bound,
    "method": containers.call_method,
    **dict.fromkeys(("arange", "zeros", "ones", "empty"), containers.new_array),
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
    name: getattr(operator, name)
    for name in ("add", "sub", "mul", "floordiv", "mod", "and_", "or_", "xor", "rshift", "lshift", "pow")
}

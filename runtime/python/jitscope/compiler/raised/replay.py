"""Follows a call of compiled functions with the arguments that it had, to find by which ways it can have raised an
exception. Numbers are computed as the compiled code computes them; where something else decides which way is taken, all
are followed. Nothing of the program is called."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from jitscope.compiler.raised import chains, programs
from jitscope.compiler.raised.chains import Way, Ways
from jitscope.compiler.raised.programs import BOOLEAN, FLOAT, INTEGER, OTHER, Program, Statement
from jitscope.compiler.raised.sites import Key, Sites, is_same

_UNKNOWN: Any = ...  # a value that is not known
_STEPS = 20000  # statements that are followed
_DEPTH = 100  # calls in each other
_FORKS = 8  # times that both ways of a branch are followed in one call; then no variable's value is known any more
_WAYS = 64
_LOWEST, _HIGHEST = -(1 << 63), (1 << 63) - 1
_EXACT = 1 << 53  # integers below it are floats

_Environment = dict[Any, Any]  # the values of variables that are known, and the states of iterators


class _Iterator(NamedTuple):
    """The key of an iterator in an environment."""

    variable: str


class _Raises(Exception):
    """The operation raises for certain."""


class _Outcome(NamedTuple):
    """What a call may do: leave by these ways with the exception that is looked for, return `value`, or raise another
    exception."""

    ways: dict[Way, None]
    value: Any
    returns: bool
    raises_other: bool


@functools.lru_cache(maxsize=256)
def _program(packed: bytes) -> Program:
    return programs.unpack(packed)


class Replay:
    """Follows calls to where they raise one exception."""

    def __init__(self, sites: Mapping[str, Sites], key: Key) -> None:
        self._sites, self._key = sites, key
        self._ways = Ways(sites, key)
        self._steps = 0
        self._known: dict[Any, _Outcome | None] = {}  # by function and arguments; None: the call is being followed

    def ways(self, symbol: str, arguments: tuple[Any, ...]) -> list[Way] | None:
        """Return by which ways a call of the function may have raised the exception; None: they cannot be known.
        `arguments`: known() of each."""
        self._steps, self._known = 0, {}
        try:
            return list(self.call(symbol, arguments, 0).ways)
        except (chains.TooMany, RecursionError):
            return None

    def call(self, symbol: str, arguments: tuple[Any, ...], depth: int) -> _Outcome:
        """Return what a call may do. `depth`: the calls around it."""
        its = self._sites.get(symbol)
        if its is None or not its.program:
            ways = self._ways.of(symbol) if symbol in self._ways.reaching else {}
            return _Outcome(ways, _UNKNOWN, True, True)
        key = symbol, tuple((type(each), each) for each in arguments)
        if key not in self._known:
            if depth > _DEPTH:
                raise chains.TooMany
            self._known[key] = None
            self._known[key] = _Call(self, its, arguments, depth).run()
        found = self._known[key]
        if found is None:  # it calls itself with the same arguments
            raise chains.TooMany
        return found

    def step(self) -> None:
        self._steps += 1
        if self._steps > _STEPS:
            raise chains.TooMany

    def is_wanted(self, key: Key) -> bool:
        return is_same(key, self._key)


class _Call:
    """One call that is followed."""

    def __init__(self, replay: Replay, its: Sites, arguments: tuple[Any, ...], depth: int) -> None:
        self._replay, self._its, self._arguments, self._depth = replay, its, arguments, depth
        self._program = _program(its.program)
        self._ways: dict[Way, None] = {}
        self._raises_other = False
        self._values: list[Any] = []
        self._forks: dict[int, int] = {}
        self._seen: set[Any] = set()
        self._waiting: list[tuple[int, _Environment]] = [(self._program.first, {})]

    def run(self) -> _Outcome:
        while self._waiting:
            label, environment = self._waiting.pop()
            self._follow(label, environment)
            if len(self._ways) > _WAYS:
                raise chains.TooMany
        value = self._values[0] if self._values else _UNKNOWN
        if any(type(each) is not type(value) or each != value for each in self._values):
            value = _UNKNOWN
        return _Outcome(self._ways, value, bool(self._values), self._raises_other)

    def _follow(self, label: int, known: _Environment) -> None:
        """Follow one way from the start of a block to its end, or until several are possible."""
        following: int | None = label
        while following is not None:
            label, following = following, None
            for statement in self._program.blocks[label]:
                self._replay.step()
                operation, operands = statement.operation, statement.operands
                if operation == "jump":
                    following = operands[0]
                elif operation == "branch":
                    following = self._branch(label, known, operands)
                elif operation == "return":
                    self._values.append(known.get(operands[0], _UNKNOWN))
                elif operation == "raise":
                    self._spread(statement)
                elif not self._compute(statement, known):
                    break

    def _branch(self, label: int, known: _Environment, operands: tuple[Any, ...]) -> int | None:
        """Return the block that follows; None: both may, and are followed later."""
        condition = known.get(operands[0], _UNKNOWN)
        if type(condition) in (bool, int):
            return int(operands[1 if condition else 2])
        self._forks[label] = self._forks.get(label, 0) + 1
        if self._forks[label] > _FORKS:
            known = {}
        state = label, frozenset(known.items())
        if state not in self._seen:
            self._seen.add(state)
            self._waiting += [(operands[1], known), (operands[2], dict(known))]
        return None

    def _compute(self, statement: Statement, known: _Environment) -> bool:
        """Compute what a statement assigns. False: it raises for certain."""
        value, ends = _UNKNOWN, False
        if statement.operation == "call" and len(statement.calls) == 1 and not statement.raises:
            value, ends = self._enter(statement, known)
        elif statement.operation == "argument":
            index = statement.operands[0]
            value = self._arguments[index] if index < len(self._arguments) else _UNKNOWN
        else:
            try:
                value = _value(statement, known)
            except _Raises:
                ends = bool(statement.raises)
            if value is _UNKNOWN:
                self._spread(statement)
        if statement.target:
            value = _as_kind(value, statement.kind)
            if value is _UNKNOWN:
                known.pop(statement.target, None)
            else:
                known[statement.target] = value
        return not ends or self._program.has_handlers

    def _enter(self, statement: Statement, known: _Environment) -> tuple[Any, bool]:
        """Follow a call. Return its value, and whether it raises for certain."""
        place, symbol = self._its.calls[statement.calls[0]]
        arguments = tuple(known.get(name, _UNKNOWN) for name in statement.operands)
        found = self._replay.call(symbol, arguments, self._depth + 1)
        frames = chains.frames_of(self._its, place)
        for way in found.ways:
            self._ways[(*frames, *way)] = None
        self._raises_other |= found.raises_other
        may_raise = found.raises_other or bool(found.ways)
        is_certain = not may_raise or not self._program.has_handlers or statement.leaves
        return found.value if is_certain else _UNKNOWN, not found.returns and is_certain

    def _spread(self, statement: Statement) -> None:
        """Note all that a statement may raise."""
        for number in statement.raises:
            place, key = self._its.raises[number]
            if self._replay.is_wanted(key):
                self._ways[chains.frames_of(self._its, place)] = None
            else:
                self._raises_other = True
        for number in statement.calls:
            place, symbol = self._its.calls[number]
            frames = chains.frames_of(self._its, place)
            for way in self._replay.call(symbol, (), self._depth + 1).ways:
                self._ways[(*frames, *way)] = None
            self._raises_other = True


# -- values


def known(value: Any) -> Any:
    """Return an argument as it is followed: numbers and tuples of numbers are known."""
    if type(value) is tuple:
        return tuple(known(each) for each in value)
    if value is None or type(value) in (int, bool, float):
        return value
    return value.item() if type(value) in (np.int64, np.float64) else _UNKNOWN


def _as_kind(value: Any, kind: str) -> Any:
    """Return a number as a variable of this kind holds it, and what is no number as it is."""
    is_number = type(value) in (int, bool, float)
    if kind == OTHER or not is_number:
        return _UNKNOWN if is_number or kind != OTHER else value
    if kind == FLOAT:
        return float(value) if abs(value) <= _HIGHEST else _UNKNOWN
    if type(value) is float:
        return _UNKNOWN
    if kind == BOOLEAN:
        return bool(value)
    return int(value) if _LOWEST <= value <= _HIGHEST else _UNKNOWN


def _value(statement: Statement, known: _Environment) -> Any:
    """Return what a statement computes."""
    compute = _OPERATIONS.get(statement.operation)
    return compute(statement, known) if compute is not None else _UNKNOWN


def _constant(statement: Statement, known: _Environment) -> Any:
    return statement.operands[0]


def _copy(statement: Statement, known: _Environment) -> Any:
    return known.get(statement.operands[0], _UNKNOWN)


def _unary(statement: Statement, known: _Environment) -> Any:
    name, operand = statement.operands
    value = known.get(operand, _UNKNOWN)
    if value is _UNKNOWN or (name == "invert" and type(value) is not int):
        return _UNKNOWN
    function = _UNARY.get(name)
    return function(value) if function is not None else _UNKNOWN


def _binary(statement: Statement, known: _Environment) -> Any:
    name, left, right, *kinds = statement.operands
    kind = FLOAT if FLOAT in kinds else INTEGER
    numbers = [_as_kind(_as_kind(known.get(each, _UNKNOWN), own), kind) for each, own in zip((left, right), kinds)]
    if _UNKNOWN in numbers:
        return _UNKNOWN
    one, other = numbers
    if name in _COMPARISONS:
        return _COMPARISONS[name](one, other)
    if name in _DIVISIONS and other == 0:
        raise _Raises
    if kind == FLOAT:
        return _FLOATS[name](one, other) if name in _FLOATS else _UNKNOWN
    if name == "truediv":
        return one / other if max(abs(one), abs(other)) < _EXACT else _UNKNOWN
    if name == "rshift" and not 0 <= other < 64:
        return _UNKNOWN
    return _INTEGERS[name](one, other) if name in _INTEGERS else _UNKNOWN


def _range(statement: Statement, known: _Environment) -> Any:
    numbers = [known.get(each, _UNKNOWN) for each in statement.operands]
    if not all(type(each) is int and abs(each) < _EXACT for each in numbers):
        return _UNKNOWN
    if len(numbers) == 3 and numbers[2] == 0:
        raise _Raises
    return range(*numbers)


def _length(statement: Statement, known: _Environment) -> Any:
    value = known.get(statement.operands[0], _UNKNOWN)
    return len(value) if type(value) in (tuple, range) else _UNKNOWN


def _converted(statement: Statement, known: _Environment) -> Any:
    kind = {"bool": BOOLEAN, "int": INTEGER, "float": FLOAT}[statement.operation]
    return _as_kind(known.get(statement.operands[0], _UNKNOWN), kind)


def _of_integers(statement: Statement, known: _Environment) -> Any:
    numbers = [known.get(each, _UNKNOWN) for each in statement.operands]
    if not all(type(each) is int for each in numbers) or (len(numbers) < 2 and statement.operation != "abs"):
        return _UNKNOWN
    if statement.operation == "abs":
        return abs(numbers[0])
    return (min if statement.operation == "min" else max)(numbers)


def _iterator(statement: Statement, known: _Environment) -> Any:
    """Return the key of an iterator: what it goes through, and how far it has come, is in the environment."""
    value, key = known.get(statement.operands[0], _UNKNOWN), _Iterator(statement.target)
    known.pop(key, None)
    if type(value) not in (tuple, range):
        return _UNKNOWN
    known[key] = value, 0
    return key


def _next(statement: Statement, known: _Environment) -> Any:
    """Return the next value of an iterator, and whether there is one."""
    key = known.get(statement.operands[0], _UNKNOWN)
    values, index = known.get(key, _UNKNOWN) if type(key) is _Iterator else ((), -1)
    if index < 0:
        return _UNKNOWN
    if index == len(values):
        return _UNKNOWN, False
    known[key] = values, index + 1
    return values[index], True


def _item(statement: Statement, known: _Environment) -> Any:
    operand, index = statement.operands
    value = known.get(operand, _UNKNOWN)
    return value[index] if type(value) is tuple and -len(value) <= index < len(value) else _UNKNOWN


def _exhaust(statement: Statement, known: _Environment) -> Any:
    operand, count = statement.operands
    value = known.get(operand, _UNKNOWN)
    return value if type(value) is tuple and len(value) == count else _UNKNOWN


def _tuple(statement: Statement, known: _Environment) -> Any:
    return tuple(known.get(each, _UNKNOWN) for each in statement.operands)


_OPERATIONS: dict[str, Callable[[Statement, _Environment], Any]] = {
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

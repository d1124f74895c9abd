"""Statements about arrays of integers, of a generated program, and what they compute element by element."""

from __future__ import annotations

import functools
import operator
import random
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from tests.oracle.traps import values
from tests.oracle.traps.values import INTEGERS, Said, Value

_SIGNS = ("+", "-", "*")
_UFUNCS = {"+": "np.add", "-": "np.subtract", "*": "np.multiply"}
Term = Any  # the name of an array or a number; an integer; or an operation's sign with its terms


class Notes(Protocol):
    """What has happened in the program so far."""

    is_defined: bool

    def note(self, traps: list[Said], function: str, line: int) -> None: ...


class Arrays:
    """The arrays of one function: their types and elements, which statements change. `number`: an argument that is an
    integer."""

    def __init__(self, notes: Notes, function: str, given: dict[str, tuple[str, list[int]]], number: Value) -> None:
        self._notes, self._function, self._number = notes, function, number
        self._held = given
        self.made: list[str] = []

    def statement(self, pick: random.Random, name: str) -> tuple[str, Callable[[int], None]] | None:
        """Return a statement, and what computes it at its line; None: this try has none. `name`: of a new array."""
        kind = pick.choice(("expression", "expression", "in place", "out", "copy"))
        if kind == "expression":
            return self._expression(self._term(pick, pick.choice((1, 2, 3))), name)
        target, source = pick.choice(list(self._held)), pick.choice(list(self._held))
        if kind == "copy":
            return f"{target}[:] = {source}", lambda line: self._copy(target, source, line)
        sign, other = pick.choice(_SIGNS), pick.choice(list(self._held))
        left = target if kind == "in place" else other
        loop = np.result_type(self._held[left][0], self._held[source][0])
        if loop.name not in INTEGERS or not np.can_cast(loop, self._held[target][0], "same_kind"):
            return None
        text = f"{target} {sign}= {source}" if kind == "in place" else f"{_UFUNCS[sign]}({left}, {source}, {target})"
        return text, lambda line: self._written(sign, left, source, target, loop.name, line)

    def _term(self, pick: random.Random, depth: int) -> Term:
        if depth == 0:
            return pick.choice([*self._held, *self._held, "a0", pick.choice((1, 3, 7, 31, 65537))])
        if pick.random() < 0.15:
            return ("neg", self._term(pick, depth - 1))
        left, right = self._term(pick, depth - 1), self._term(pick, pick.choice((0, depth - 1)))
        return (pick.choice(_SIGNS), left, right)

    # -- array expressions

    def _expression(self, term: Term, name: str) -> tuple[str, Callable[[int], None]] | None:
        kind = self._array_kind(term)
        if kind is None or self._kind(term) is None or not _is_whole(term, self._held):
            return None
        self.made.append(name)
        text = f"{name} = {_text(term)}"

        def compute(line: int) -> None:
            made = []
            for index in range(3):
                traps: list[Said] = []
                made.append(self._computed(term, index, traps, kind).number)
                self._notes.note([(said, f"{text} in an element") for said, text in traps], self._function, line)
            self._held[name] = kind, made

        if not self._notes.is_defined:  # the program goes on, and its types are needed
            self._held[name] = kind, [0] * 3
        return text, compute

    def _array_kind(self, term: Term) -> str | None:
        """Return the type of the array's elements, by Numba's typing of arrays; None: no integer."""
        found = _array_type(self._spelled(term))
        return found if found in INTEGERS else None

    def _spelled(self, term: Term) -> Term:
        """Return the term with types instead of names."""
        if isinstance(term, tuple):
            return (term[0], *(self._spelled(each) for each in term[1:]))
        return term if isinstance(term, int) else ("array", self._held[term][0]) if term in self._held else "int64"

    def _kind(self, term: Term) -> str | None:
        """Return the type of one element, by Numba's typing of numbers; None: some part is no integer."""
        if not isinstance(term, tuple):
            return "int64" if isinstance(term, int) or term == "a0" else self._held[term][0]
        inner = [each if isinstance(each, int) else self._kind(each) for each in term[1:]]
        kind = None if None in inner else values.result_kind(term[0], *inner)
        return kind if kind in INTEGERS else None

    def _computed(self, term: Term, index: int, traps: list[Said], to: str | None = None) -> Value:
        if isinstance(term, int):
            return Value("int64", term, literal=True)
        if not isinstance(term, tuple):
            return self._number if term == "a0" else Value(self._held[term][0], self._held[term][1][index], term)
        operands = [self._computed(each, index, traps) for each in term[1:]]
        kind = values.result_kind(term[0], *(each.number if each.literal else each.kind for each in operands))
        assert kind is not None
        own = operands[0].kind if term[0] == "neg" else kind
        _, said = values.compute_as(term[0], operands, _stored_as(own, to))
        traps += said
        made, _ = values.compute_as(term[0], operands, own)
        return Value(to or kind, values.wrapped(made.number, to or kind))

    # -- statements that write to an array

    def _written(self, sign: str, left: str, right: str, target: str, loop: str, line: int) -> None:
        to, into = self._held[target]
        for index in range(3):
            operands = [Value(loop, self._held[name][1][index], name) for name in (left, right)]
            _, traps = values.compute_as(sign, operands, _stored_as(loop, to))
            made, _ = values.compute_as(sign, operands, loop)
            self._notes.note([(said, f"{text} in an element") for said, text in traps], self._function, line)
            into[index] = values.wrapped(made.number, to)

    def _copy(self, target: str, source: str, line: int) -> None:
        kind, into = self._held[target]
        before = list(self._held[source][1])
        for index in range(3):
            stored, traps = values.convert(Value(self._held[source][0], before[index], source), kind, target)
            self._notes.note(traps, self._function, line)
            into[index] = stored.number


def _stored_as(kind: str, to: str | None) -> str:
    return to if to is not None and np.dtype(to).itemsize <= np.dtype(kind).itemsize else kind


def _text(term: Term) -> str:
    if not isinstance(term, tuple):
        return str(term)
    if term[0] == "neg":
        return f"(-{_text(term[1])})"
    return f"({_text(term[1])} {term[0]} {_text(term[2])})"


def _is_whole(term: Term, arrays: Any) -> bool:
    """Return whether each operation has an array, so that Numba computes all in one expression."""
    if not isinstance(term, tuple):
        return True
    has_array = any(name in arrays for name in _names(term))
    return has_array and all(_is_whole(each, arrays) for each in term[1:])


def _names(term: Term) -> list[Any]:
    return [name for each in term[1:] for name in _names(each)] if isinstance(term, tuple) else [term]


@functools.cache
def _array_type(term: Term) -> str | None:
    """Return the type of the elements of an expression's array, or of its number."""
    from numba import types
    from numba.core.errors import TypingError
    from numba.core.registry import cpu_target

    def kind_of(part: Term) -> Any:
        if isinstance(part, int):
            return types.int64
        if isinstance(part, str):
            return getattr(types, part)
        if part[0] == "array":
            return types.Array(getattr(types, part[1]), 1, "C")
        function = operator.neg if part[0] == "neg" else values.OPERATORS[part[0]]
        inner = tuple(kind_of(each) for each in part[1:])
        return cpu_target.typing_context.resolve_function_type(function, inner, {}).return_type

    cpu_target.typing_context.refresh()
    try:
        found = kind_of(term)
    except TypingError:
        return None
    return str(found.dtype) if isinstance(found, types.Array) else None

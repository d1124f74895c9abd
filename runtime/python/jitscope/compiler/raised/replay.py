"""Follows a call of compiled functions with the arguments that it had, to find by which ways it can have raised an
exception. Numbers are computed as the compiled code computes them; where something else decides which way is taken, all
are followed. Nothing of the program is called."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from jitscope.compiler.followed import operations, programs, values
from jitscope.compiler.followed.programs import RAISE, Program, Statement
from jitscope.compiler.followed.values import UNKNOWN, Environment
from jitscope.compiler.raised import chains
from jitscope.compiler.raised.chains import Way, Ways
from jitscope.compiler.raised.sites import Key, Sites, is_same

_STEPS = 20000  # statements that are followed
_DEPTH = 100  # calls in each other
_FORKS = 8  # times that both ways of a branch are followed in one call; then no variable's value is known any more
_WAYS = 64
_TRIES = "#tries"  # in an environment: how many `try` statements are around the statement
_IS_RAISED = "#raised"  # in an environment: whether the innermost one has got an exception
_HANDLING = ("try", "end_try", "check", "try_raise")


class _State(NamedTuple):
    """Where a call is: at a statement of a block, with what is known there."""

    label: int
    at: int
    known: Environment


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
        self.keeps_arrays = all(not each.writes for each in self._programs())
        self._known: dict[Any, _Outcome | None] = {}  # by function and arguments; None: the call is being followed

    def _programs(self) -> Iterator[Program]:
        """Yield what the functions of the source compute; what is not known may write to arrays."""
        for its in self._sites.values():
            if its.program:
                yield _program(its.program)
            elif its.function is not None:
                yield Program(0, {}, False, True)

    def ways(self, symbol: str, arguments: tuple[Any, ...]) -> list[Way] | None:
        """Return by which ways a call of the function may have raised the exception; None: they cannot be known.
        `arguments`: values.known() of each."""
        own = copy.copy(self)  # another thread may follow another call meanwhile
        own._steps, own._known = 0, {}
        try:
            return list(own.call(symbol, arguments, 0).ways)
        except (chains.TooMany, RecursionError):
            return None

    def call(self, symbol: str, arguments: tuple[Any, ...], depth: int) -> _Outcome:
        """Return what a call may do. `depth`: the calls around it."""
        its = self._sites.get(symbol)
        if its is None or not its.program:
            ways = self._ways.of(symbol) if symbol in self._ways.reaching else {}
            return _Outcome(ways, UNKNOWN, True, True)
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
        self._forks: dict[tuple[int, int], int] = {}
        self._seen: set[Any] = set()
        self._waiting: list[_State] = [_State(self._program.first, 0, {_TRIES: 0, _IS_RAISED: False})]

    def run(self) -> _Outcome:
        while self._waiting:
            self._follow(*self._waiting.pop())
            if len(self._ways) > _WAYS:
                raise chains.TooMany
        value = self._values[0] if self._values else UNKNOWN
        if any(type(each) is not type(value) or each != value for each in self._values):
            value = UNKNOWN
        return _Outcome(self._ways, value, bool(self._values), self._raises_other)

    def _follow(self, label: int, first: int, known: Environment) -> None:
        """Follow one way from a statement of a block to its end, or until several are possible."""
        following: int | None = label
        while following is not None:
            label, following = following, None
            for index, statement in enumerate(self._program.blocks[label][first:], first):
                self._replay.step()
                operation, operands = statement.operation, statement.operands
                if operation == "jump":
                    following = operands[0]
                elif operation == "branch":
                    following = self._branch(label, index, known, operands)
                elif operation == "return":
                    self._values.append(values.passed(known.get(operands[0], UNKNOWN)))
                elif operation == "raise":
                    self._spread(statement, False)
                elif operation in _HANDLING:
                    _handle(statement, known)
                elif not self._compute(label, index, statement, known):
                    break
            first = 0

    def _branch(self, label: int, index: int, known: Environment, operands: tuple[Any, ...]) -> int | None:
        """Return the block that follows; None: both may, and are followed later."""
        condition = known.get(operands[0], UNKNOWN)
        if type(condition) in (bool, int):
            return int(operands[1 if condition else 2])
        known = self._forked(label, index, known)
        for each in operands[1:]:
            self._wait(_State(each, 0, dict(known)))
        return None

    def _forked(self, label: int, index: int, known: Environment) -> Environment:
        """Return what is still known after a statement that several states follow."""
        self._forks[label, index] = self._forks.get((label, index), 0) + 1
        return known if self._forks[label, index] <= _FORKS else {_TRIES: known[_TRIES]}

    def _wait(self, state: _State) -> None:
        key = state.label, state.at, frozenset(state.known.items())
        if key not in self._seen:
            self._seen.add(key)
            self._waiting.append(state)

    def _compute(self, label: int, index: int, statement: Statement, known: Environment) -> bool:
        """Compute what a statement assigns. False: it raises for certain, and leaves the function."""
        is_caught = known[_TRIES] > 0
        value, raises = self._effect(statement, known, is_caught)
        if raises is None and is_caught:
            known = self._forked(label, index, known)
            raised = {**known, _IS_RAISED: True}
            values.assign(raised, statement, UNKNOWN)
            self._wait(_State(label, index + 1, raised))
            values.assign(known, statement, value)
            self._wait(_State(label, index + 1, known))
            return False
        if raises and is_caught:
            known[_IS_RAISED] = True
        values.assign(known, statement, value)
        return not raises or is_caught

    def _effect(self, statement: Statement, known: Environment, is_caught: bool) -> tuple[Any, bool | None]:
        """Return the value of a statement, and whether it raises; None: it may."""
        if statement.operation == "call" and _calls_one(statement):
            value, raises = self._enter(statement, known, is_caught)
            if self._program.has_handlers and raises is not False and not statement.leaves:
                return UNKNOWN, False
            return value, raises
        value, raises = UNKNOWN, False
        if statement.operation == "argument":
            index = statement.operands[0]
            value = self._arguments[index] if index < len(self._arguments) else UNKNOWN
        else:
            try:
                value = operations.compute(statement, known)
                raises = None if value is UNKNOWN and _has_sites(statement) else False
            except values.Passes:
                pass
            except values.Raises:
                raises = True if _is_sure(statement) else None if _has_sites(statement) else False
        if raises is not False:
            self._spread(statement, is_caught)
        return value, raises and not self._program.has_handlers if raises is not None else None

    def _enter(self, statement: Statement, known: Environment, is_caught: bool) -> tuple[Any, bool | None]:
        """Follow a call. Return its value, and whether it raises as _effect() does."""
        place, symbol = self._its.calls[statement.calls[0]] if statement.calls else (0, statement.caught[0])
        arguments = tuple(values.passed(known.get(name, UNKNOWN)) for name in statement.operands)
        for name in statement.operands:
            values.forget(known, name)
        found = self._replay.call(symbol, arguments, self._depth + 1)
        if not is_caught:
            frames = chains.frames_of(self._its, place)
            for way in found.ways:
                self._ways[(*frames, *way)] = None
            self._raises_other |= found.raises_other
        if not found.raises_other and not found.ways:
            return found.value, False
        return found.value, None if found.returns else True

    def _spread(self, statement: Statement, is_caught: bool) -> None:
        """Note all that a statement may raise. `is_caught`: a handler follows what its calls raise."""
        for number in statement.raises:
            place, key = self._its.raises[number]
            if self._replay.is_wanted(key):
                self._ways[chains.frames_of(self._its, place)] = None
            else:
                self._raises_other = True
        for number in statement.calls if not is_caught else ():
            place, symbol = self._its.calls[number]
            frames = chains.frames_of(self._its, place)
            for way in self._replay.call(symbol, (), self._depth + 1).ways:
                self._ways[(*frames, *way)] = None
            self._raises_other = True


def _handle(statement: Statement, known: Environment) -> None:
    """Do what Numba's functions do in place of `try`, its end, and the test whether it has raised."""
    if statement.operation == "check":
        values.assign(known, statement, known.get(_IS_RAISED, UNKNOWN))
    elif statement.operation == "try":
        known[_TRIES] += 1
        known[_IS_RAISED] = False
    elif statement.operation == "end_try":
        known[_TRIES] -= 1
    else:
        known[_IS_RAISED] = True


def _calls_one(statement: Statement) -> bool:
    return len(statement.calls) + len(statement.caught) == 1 and not statement.raises and RAISE not in statement.caught


def _has_sites(statement: Statement) -> bool:
    return bool(statement.raises or statement.calls or statement.caught)


def _is_sure(statement: Statement) -> bool:
    """True if the compiled code raises where its operation does: arithmetic need not."""
    return (
        bool(statement.raises)
        or RAISE in statement.caught
        or (statement.operation != "binary" and _has_sites(statement))
    )

"""Calls that have returned an exception, by their return addresses, which are still below the wrapper's stack pointer
when it raises the exception.

A function that does not refer to the constant that describes an exception has not raised it itself, with all that LLVM
has inlined into it. The exception comes from a function that it has called: by the last call of those that may raise,
because after it the function only returns, and Numba compiles no code that raises an exception once more. If all these
calls leave their return addresses in the same word of the stack, it has that of the last one, or something that was
written later (by the release of arguments, or a signal's handler), which is no such address.

An exception that is made where it is raised has no such constant; there, NRT_Allocate is called."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from jitscope import stops
from jitscope.compiler.raised import chains, machine_code
from jitscope.compiler.raised.chains import Chain
from jitscope.compiler.raised.machine_code import Code, Lines
from jitscope.compiler.raised.sites import UNKNOWN, Key, Sites

WORDS = 512  # JITSCOPE_RAISED_BELOW of runtime/include/jitscope_raised.h
_MOST = 64  # calls that are followed
_MAKER = "NRT_Allocate"  # numba/core/callconv.py, emit_wrap_args_insts (0.57-0.68)
_Words = ctypes.POINTER(ctypes.c_uint64)


class _Function(NamedTuple):
    """A compiled function. `calls`: its calls from which the exception may come, by what they return to, each with the
    symbol of the function that it certainly calls, "" if it may be another one: a register may have another function's
    address by then, and a later call would be taken for the one that has raised. `words`: from the word with the
    function's own return address down to that with theirs."""

    symbol: str
    code: Code
    calls: dict[int, str]
    words: int


class _Step(NamedTuple):
    """A call of a function, at these lines. `callee`: the symbol of the function that it calls, if that is known."""

    lines: Lines
    callee: str | None


@functools.lru_cache(maxsize=1)
def _below() -> Any:
    function = stops.library().jitscope_raised_below
    function.restype, function.argtypes = _Words, []
    return function


def words() -> Any:
    """Return the words that were below the wrapper's stack pointer, in order of their addresses; false: none."""
    return _below()()


class ReturnedCalls:
    """The calls that lead from a function to the places where it raises one exception."""

    def __init__(
        self, sites: Mapping[str, Sites], entry: str, key: Key, constant: int, address_of: Callable[[str], int]
    ) -> None:
        """`constant`: the address of what describes the exception, 0 if it is made where it is raised. `address_of`:
        returns the address of a function's code, 0 if there is none."""
        self._sites, self._entry, self._key, self._address_of = sites, entry, key, address_of
        self._ways = chains.Ways(sites, key)
        self._is_made = not constant
        self._constants = machine_code.holders(constant) if constant else ()
        self._functions: dict[str, _Function | None] = {}
        self._steps: dict[tuple[str, int], _Step | None] = {}  # by function and return address
        self._before: dict[tuple[str, int], int] = {}  # what _raising() finds
        self._first = self._function(entry)
        self._start = WORDS

    def set_wrapper(self, wrapper: Code, address: int) -> bool:
        """Find where the wrapper's call of the function has left its return address. False: it is not known. `address`:
        what its call of PyErr_Clear returns to."""
        calls = wrapper.calls_of({self._first.code.low: self._entry}) if self._first is not None else None
        if not calls or len(calls) > 1:
            return False
        lower = wrapper.depth_at(next(iter(calls))) - wrapper.depth_at(address)  # bytes of pushed arguments
        self._start = WORDS - lower // 8
        return lower >= 0

    def addresses(self, words: Any) -> tuple[int, ...]:
        """Return the return addresses of the calls that are known, the outermost first."""
        found: list[int] = []
        function, at = self._first, self._start
        while function is not None and at >= function.words and len(found) < _MOST:
            at -= function.words
            address = self._raising(function, words[at])
            step = self._step(function, address) if address else None
            if step is None:
                break
            found.append(address)
            function = self._function(step.callee) if step.callee else None
        return tuple(found)

    def _raising(self, function: _Function, address: int) -> int:
        """Return what the function's call returns to that has raised; 0: it is not known. `address`: what its last call
        returns to. LLVM may let others follow, which release arrays, before the test whether there is an exception."""
        if address in function.calls or address not in function.code.targets:
            return address
        key = function.symbol, address
        if key not in self._before:
            self._before[key] = function.code.call_before(address, function.calls) or 0
        return self._before[key]

    def _step(self, function: _Function, address: int) -> _Step | None:
        key = function.symbol, address
        if key not in self._steps:
            self._steps[key] = self._find_step(function, address) if address in function.calls else None
        return self._steps[key]

    def _find_step(self, function: _Function, address: int) -> _Step | None:
        lines = function.code.lines_of_call(address)
        called = self._ways.called_at(function.symbol, lines) if lines is not None else None
        if lines is None or called is None or not function.calls.get(address):
            return None
        called &= {function.calls[address]}
        if function.calls[address] == _MAKER and self._ways.raises_at(function.symbol, lines):
            called.add(_MAKER)
        return _Step(lines, called.pop() if len(called) == 1 else None) if called else None

    def _function(self, symbol: str) -> _Function | None:
        if symbol not in self._functions:
            self._functions[symbol] = self._find_function(symbol)
        return self._functions[symbol]

    def _find_function(self, symbol: str) -> _Function | None:
        low = self._address_of(symbol) if symbol in self._sites else 0
        code = machine_code.code_at(low) if low else None
        if code is None or self._constants is None or any(map(code.refers_to, self._constants)):
            return None
        targets = self._targets()
        calls = code.calls_of(targets) if targets is not None else None
        if targets is None or not calls:
            return None
        depths = {code.depth_at(address) for address in calls}
        known = {address: targets.get(code.targets.get(address, 0), "") for address in calls}
        return _Function(symbol, code, known, depths.pop() // 8) if len(depths) == 1 else None

    def _targets(self) -> dict[int, str] | None:
        """Return the functions from which the exception may come, by the addresses of their code; None: not all are
        known."""
        if UNKNOWN in self._ways.reaching:
            return None
        found = {self._address_of(symbol): symbol for symbol in self._ways.reaching}
        if self._is_made:
            found[llvm.address_of_symbol(_MAKER) or 0] = _MAKER
            if 0 in found and found[0] == _MAKER:
                return None
        return {address: symbol for address, symbol in found.items() if address}

    def chain(self, addresses: tuple[int, ...]) -> Chain | None:
        """Return the frames of an exception with these return addresses; None: they say nothing."""
        lines: list[tuple[str, int]] = []
        function = self._first
        for address in addresses:
            step = self._step(function, address) if function is not None else None
            if step is not None:
                lines += step.lines
                function = self._function(step.callee) if step.callee else None
        found = chains.find(self._sites, self._entry, self._key, within=tuple(lines)) if lines else None
        return found if found is not None and (found.outer or found.inner) else None


def of(
    sites: Mapping[str, Sites],
    entry: str,
    key: Key,
    constant: int,
    wrapper: int,
    address_of: Callable[[str], int],
) -> ReturnedCalls | None:
    """Return the calls of a function that a wrapper, with the address `wrapper` where it raises, has called; None: they
    do not say where the exception comes from."""
    code = machine_code.code_with(wrapper)
    if code is None:
        return None
    found = ReturnedCalls(sites, entry, key, constant, address_of)
    return found if found.set_wrapper(code, wrapper) else None

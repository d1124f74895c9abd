"""Which calls end their caller when they return an exception: not those in a `try`, where a handler follows. Numba
counts the `try` statements around the code in a variable of the function, and a call that returns an exception is
followed by a test of it (numba/core/callconv.py, CPUCallConv.return_status_propagate, 0.57-0.68)."""

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import ir as numba_ir

from jitscope.compiler.raised import blocks, places

_MOST = 16  # depths of `try` statements that are followed at one place


class Place(NamedTuple):
    """The place of a test: the first `before` instructions of the block are before it. `depth`: the variable."""

    block: Any
    before: int
    depth: Any


def before(convention: Any, builder: Any) -> Place:
    """Return the place of the test that return_status_propagate() is about to write."""
    depth = convention._get_try_state(builder)
    return Place(builder.block, len(builder.block.instructions), depth)


def is_in_try(builder: Any) -> bool:
    """True if a handler follows what is raised where code is being written: Numba then goes to it (numba/core/
    lowering.py, Lower.pre_block and lower_static_try_raise; callconv.py, return_user_exc; 0.57-0.68)."""
    is_try_raise = isinstance(places.statement(builder), (numba_ir.StaticTryRaise, numba_ir.DynamicTryRaise))
    return is_try_raise or bool(getattr(builder, "_in_try_block", False))


class Handlers:
    """The handlers of a function that has been written."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self._entries: dict[Any, dict[Any, set[int | None]]] = {}  # what _entries() returns, by the variable

    def follow(self, test: Place) -> bool:
        """True if a handler follows the test on all ways to it."""
        depths = self._depths(test)
        return bool(depths) and all(depth is not None and depth > 0 for depth in depths)

    def are_none(self, test: Place) -> bool:
        """True if no handler follows the test on any way to it."""
        depths = self._depths(test)
        return depths == {0} or (not depths and not self._entries.get(test.depth, True))

    def _depths(self, test: Place) -> set[int | None]:
        """Return how many `try` statements are around the test, on all ways to it; nothing if that is not known, or
        there are none in the function."""
        if not isinstance(test.block.terminator, ir.ConditionalBranch):
            return set()
        entries = self._entries.get(test.depth)
        if entries is None:
            entries = self._entries[test.depth] = _entries(self._function, test.depth)
        return _after(entries.get(test.block, set()), test.block.instructions[: test.before], test.depth)


def _entries(function: Any, variable: Any) -> dict[Any, set[int | None]]:
    """Return which depths are possible where blocks begin, {} if all are 0; None: a depth that is not known."""
    stores = (each for block in function.blocks for each in block.instructions if isinstance(each, ir.StoreInstr))
    if not any(each.operands[1] is variable and not isinstance(each.operands[0], ir.Constant) for each in stores):
        return {}
    found: dict[Any, set[int | None]] = {function.entry_basic_block: {None}}
    waiting = [function.entry_basic_block]
    while waiting:
        block = waiting.pop()
        depths = _after(found[block], block.instructions, variable)
        for each in blocks.successors(block):
            known = found.setdefault(each, set())
            new = depths | known
            if len(new) > _MOST:
                new = {None}
            if each not in waiting and (new != known or not known):
                waiting.append(each)
            found[each] = new
    return found


def _after(depths: set[int | None], instructions: list[Any], variable: Any) -> set[int | None]:
    for each in instructions:
        if isinstance(each, ir.StoreInstr) and each.operands[1] is variable:
            value = each.operands[0]
            change = _change(value, variable)
            if change is not None:
                depths = {None if depth is None else depth + change for depth in depths}
            else:
                depths = {(value.constant or 0) if isinstance(value, ir.Constant) else None}
    return depths


def _change(value: Any, variable: Any) -> int | None:
    """Return what is added to the variable's value, if this is how the value is computed."""
    sign = {"add": 1, "sub": -1}.get(getattr(value, "opname", ""))
    if sign is None:
        return None
    old, number = value.operands
    is_own = isinstance(old, ir.LoadInstr) and old.operands[0] is variable and isinstance(number, ir.Constant)
    return sign * number.constant if is_own else None

"""Blocks of functions that Numba has written for LLVM."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir


def successors(block: Any) -> Iterator[Any]:
    """Yield the blocks that the end of a block may lead to."""
    terminator = block.terminator
    if isinstance(terminator, ir.SwitchInstr):
        yield terminator.default
        yield from (each for _, each in terminator.cases)
    else:
        yield from (each for each in getattr(terminator, "operands", ()) if isinstance(each, ir.Block))


def reachable(function: Any) -> set[Any]:
    """Return the blocks to which the function's entry may lead. A comparison of constants leads one way: Numba tests
    each divisor, and the step of each range."""
    found, waiting = {function.entry_basic_block}, [function.entry_basic_block]
    while waiting:
        block = waiting.pop()
        end = block.terminator
        taken = _constant(end.operands[0]) if isinstance(end, ir.ConditionalBranch) else None
        after = successors(block) if taken is None else [end.operands[1 if taken else 2]]
        for each in after:
            if each not in found:
                found.add(each)
                waiting.append(each)
    return found


def _constant(condition: Any) -> bool | None:
    """Return the value of a condition that depends on constants alone, None of another."""
    if isinstance(condition, ir.ICMPInstr) and condition.op in ("eq", "ne"):
        one, other = condition.operands
        if isinstance(one, ir.Constant) and isinstance(other, ir.Constant):
            numbers = [0 if each.constant is None else each.constant for each in (one, other)]
            if all(isinstance(each, int) for each in numbers):
                return bool((numbers[0] == numbers[1]) == (condition.op == "eq"))
    return None

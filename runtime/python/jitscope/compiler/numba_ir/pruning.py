"""Branches that Numba removes because a constant decides them: the source's assignments there never run.

This module wraps dead_branch_prune as numba.core.untyped_passes calls it (0.57-0.68)."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

from numba.core import bytecode as numba_bytecode
from numba.core import untyped_passes

from jitscope.compiler.numba_ir import bytecode, origins

# numba/core/bytecode.py: a block's label is its bytecode's offset plus this
LABELS = getattr(numba_bytecode, "_FIXED_OFFSET", 0)
# attribute of a FunctionIR and those that passes derive from it: labels before, and removed labels
_ATTRIBUTE = "_jitscope_pruned"


def check() -> str | None:
    """Return why this Numba's pruning cannot be wrapped, or None."""
    if not hasattr(untyped_passes, "dead_branch_prune"):
        return "numba.core.untyped_passes has no dead_branch_prune"
    return None


def left(func_ir: Any, found: Iterable[bytecode.Lined]) -> Iterator[bytecode.Lined]:
    """Yield a function's instructions whose blocks have not been removed."""
    before, pruned = getattr(func_ir, _ATTRIBUTE, (frozenset(), frozenset()))
    is_gone = is_after_jump = False
    for line, instruction in found:
        label = instruction.offset + LABELS
        if is_after_jump or label in before or instruction.is_jump_target:
            is_gone = label in pruned
        is_after_jump = instruction.opcode in bytecode.JUMPS
        if not is_gone:
            yield line, instruction


def install() -> None:
    """Wrap Numba's pruning, once for each process."""
    prune = untyped_passes.dead_branch_prune

    @functools.wraps(prune)
    def dead_branch_prune(func_ir: Any, *arguments: Any) -> Any:
        known, gone = getattr(func_ir, _ATTRIBUTE, (frozenset(), frozenset()))  # several passes prune
        before = origins.labels(func_ir)
        result = prune(func_ir, *arguments)
        setattr(func_ir, _ATTRIBUTE, (known | before, gone | (before - origins.labels(func_ir))))
        return result

    untyped_passes.dead_branch_prune = dead_branch_prune

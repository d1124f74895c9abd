"""The offset in the function's bytecode at which a block begins, if Numba has renamed its labels, as it does when it
inlines a function.

This module wraps numba.core.inline_closurecall.InlineClosureCallPass.run (0.57-0.68)."""

from __future__ import annotations

import copy
import functools
from types import CodeType
from typing import Any

from numba.core import inline_closurecall

# attribute of a block's ir.Loc, which other passes keep: its function's code, and its first label
_ORIGIN = "_jitscope_origin"


def check() -> str | None:
    """Return why labels cannot be kept in this Numba, or None."""
    found = getattr(getattr(inline_closurecall, "InlineClosureCallPass", None), "run", None)
    return None if callable(found) else "numba.core.inline_closurecall has no InlineClosureCallPass.run"


def of(blocks: dict[int, Any], code: CodeType) -> dict[int, int]:
    """Return the first labels by the present ones. The rest of a block after inlined code has none."""
    found: dict[int, int] = {}
    for label in sorted(blocks):
        whose, origin = getattr(blocks[label].loc, _ORIGIN, (None, 0))
        if whose is code and origin not in found.values():
            found[label] = origin
    return found


def labels(func_ir: Any) -> set[int]:
    """Return the labels that the blocks had at the beginning."""
    stamps = [getattr(block.loc, _ORIGIN, None) for block in func_ir.blocks.values()]
    if not any(stamps):
        return set(func_ir.blocks)
    return {stamp[1] for stamp in stamps if stamp and stamp[0] is func_ir.func_id.code}


def stamp(block: Any, code: CodeType, label: int) -> None:
    """Store the origin in a location of the block's own. Statements that shared the block's location, by which
    stencils.py knows Numba's statements, still share it."""
    before, block.loc = block.loc, copy.copy(block.loc)
    setattr(block.loc, _ORIGIN, (code, label))
    for statement in block.body:
        if statement.loc is before:
            statement.loc = block.loc


def install() -> None:
    """Wrap Numba's inlining, once for each process, after check()."""
    run: Any = inline_closurecall.InlineClosureCallPass.run

    @functools.wraps(run)
    def run_with_origins(self: Any) -> Any:
        for label, block in self.func_ir.blocks.items():
            if block.loc is not self.func_ir.loc:
                stamp(block, self.func_ir.func_id.code, label)
        return run(self)

    inline_closurecall.InlineClosureCallPass.run = run_with_origins

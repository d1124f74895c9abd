"""The offset in the function's bytecode at which a block begins, if Numba has renamed its labels, as it does when it
inlines a function.

This module wraps numba.core.inline_closurecall.InlineClosureCallPass.run and numba.core.dispatcher.LiftedCode's
_reduce_states (0.57-0.68)."""

from __future__ import annotations

import copy
import functools
from types import CodeType
from typing import Any

from numba.core import dispatcher, inline_closurecall, ir

# attribute of a block's ir.Loc, which other passes keep: its function's code, its first label, and Numba's own ir.Loc
_ORIGIN = "_jitscope_origin"
_OURS = "_jitscope_"  # what the names of all attributes begin with that the hook adds to locations


def check() -> str | None:
    """Return why labels cannot be kept in this Numba, or None."""
    if not callable(getattr(getattr(inline_closurecall, "InlineClosureCallPass", None), "run", None)):
        return "numba.core.inline_closurecall has no InlineClosureCallPass.run"
    if "_reduce_states" not in vars(getattr(dispatcher, "LiftedCode", object)):
        return "numba.core.dispatcher has no LiftedCode._reduce_states"
    return None


def of(blocks: dict[int, Any], code: CodeType) -> dict[int, int]:
    """Return the first labels by the present ones. The rest of a block after inlined code has none."""
    found: dict[int, int] = {}
    for label in sorted(blocks):
        whose, origin, _ = getattr(blocks[label].loc, _ORIGIN, (None, 0, None))
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
    setattr(block.loc, _ORIGIN, (code, label, before))
    for statement in block.body:
        if statement.loc is before:
            statement.loc = block.loc


def forget(func_ir: Any) -> None:
    """Leave nothing of the hook in the locations of a function. Code that calls a lifted `with` block holds a pickle of
    the block's statements, and has the pickle's size as a constant."""
    parts = [each for known in func_ir._definitions.values() for each in known]
    for block in func_ir.blocks.values():
        parts += (block, *block.body, *(each.value for each in block.body if isinstance(each, ir.Assign)))
        parts += getattr(block.scope.localvars, "_con", {}).values()  # also variables that no statement has any more
    parts += [each for part in parts if hasattr(part, "list_vars") for each in part.list_vars()]
    for part in [part for part in parts if hasattr(part, "loc")]:
        while _ORIGIN in vars(part.loc):
            part.loc = vars(part.loc)[_ORIGIN][2]
        for name in [name for name in vars(part.loc) if name.startswith(_OURS)]:
            delattr(part.loc, name)


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
    states: Any = dispatcher.LiftedCode._reduce_states

    @functools.wraps(states)
    def states_of_numba(self: Any) -> Any:
        forget(self.func_ir)
        return states(self)

    dispatcher.LiftedCode._reduce_states = states_of_numba

"""Lines whose statements Numba's passes remove: at `steps` one stays behind that does nothing, so that the line stops
as often as it is executed.

Wraps numba.core.ir_utils.remove_dead_block (0.57-0.68), which parallel=True and inlined closures go through. What is
hoisted out of a parallel loop leaves its line in the same way (kernels.py)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import CodeType
from typing import Any

from numba.core import ir, ir_utils, targetconfig

from jitscope.compiler import levels


def check() -> str | None:
    """Why this Numba's removal of dead code can't be wrapped, or None."""
    for owner, name in ((ir_utils, "remove_dead_block"), (ir, "PopBlock"), (targetconfig.ConfigStack, "top_or_none")):
        if not hasattr(owner, name):
            return f"{getattr(owner, '__name__', owner)} has no {name}"
    return None


class Remnant(ir.PopBlock):  # type: ignore[misc]
    """All of Numba's passes let a PopBlock be, and nothing is made of it."""


def _is_at_steps(func_ir: Any) -> bool:
    flags = targetconfig.ConfigStack.top_or_none()
    return bool(flags and flags.debuginfo) and levels.level_of(func_ir.func_id.func) == levels.STEPS


def _versions(code: CodeType) -> Callable[[str], str | None]:
    """From a name in the IR to the source's."""
    names = frozenset((*code.co_varnames, *code.co_cellvars))
    return lambda name: base if (base := name.partition(".")[0]) in names else None


def _does(statement: Any, base: Callable[[str], str | None]) -> bool:
    """Is it one that the source has?"""
    if not isinstance(statement, ir.Assign):
        return not isinstance(statement, ir.Del)
    name, value = base(statement.target.name), statement.value
    is_copy = isinstance(value, ir.Var) and base(value.name) == name
    return name is not None and not is_copy


def leave(before: list[Any], block: Any, file: str, base: Callable[[str], str | None]) -> None:
    """In a block that statements have been taken out of. before: all of them; base: see _versions."""
    kept = {id(statement) for statement in block.body}
    told = {each.loc.line for each in block.body if not isinstance(each, (ir.Del, ir.Jump))}
    body: list[Any] = []
    for statement in before:
        loc = statement.loc
        if id(statement) in kept:
            body.append(statement)
        elif loc.filename == file and loc.line not in told and _does(statement, base):
            told.add(loc.line)
            body.append(Remnant(loc))
    if kept <= {id(statement) for statement in body}:
        block.body = body


def install() -> None:
    """Once a process."""
    remove = ir_utils.remove_dead_block

    @functools.wraps(remove)
    def remove_dead_block(block: Any, *arguments: Any, **named: Any) -> Any:
        before = list(block.body)
        removed = remove(block, *arguments, **named)
        func_ir = named["func_ir"] if "func_ir" in named else arguments[5]
        if len(block.body) < len(before) and _is_at_steps(func_ir):
            leave(before, block, func_ir.loc.filename, _versions(func_ir.func_id.code))
        return removed

    ir_utils.remove_dead_block = remove_dead_block

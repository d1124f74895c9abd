"""Functions in functions, which Numba puts in line before it compiles (numba/core/inline_closurecall.py, 0.57-0.68):
what it passes to them belongs to the line of the call, and what they return is assigned there."""

from __future__ import annotations

import copy
import functools
import itertools
from types import CodeType
from typing import Any

from numba.core import inline_closurecall, ir

from jitscope.compiler import bytecode

_ASSIGNED_ON = "_jitscope_assigned_on"  # of an ir.Loc: the line on which the source assigns the statement's value


def check() -> str | None:
    """Why closures can't be followed in this Numba, or None."""
    found = getattr(inline_closurecall, "inline_closure_call", None)
    return None if callable(found) else "numba.core.inline_closurecall has no inline_closure_call"


def assigned_on(inst: Any) -> int:
    """The line on which the source assigns what the statement does."""
    return int(getattr(inst.loc, _ASSIGNED_ON, inst.loc.line))


def hidden(code: CodeType) -> dict[int, set[str]]:
    """By line of the functions in a function: names that mean variables of their own there, and others around them."""
    found: dict[int, set[str]] = {}
    outer = {*code.co_varnames, *code.co_cellvars}
    for inner in bytecode.codes(code):
        if inner is not code:
            names = outer & {*inner.co_varnames, *inner.co_cellvars}
            for line, _ in bytecode.instructions(inner) if names else ():
                found.setdefault(line, set()).update(names)
    return found


def _place(blocks: dict[int, Any], arguments: int, call: Any) -> None:
    for statement in itertools.islice(blocks[min(blocks)].body, arguments):
        if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Var):
            statement.loc = call.loc
    for block in blocks.values():
        for statement in block.body:
            if isinstance(statement, ir.Assign) and statement.target.name == call.target.name:
                statement.loc = copy.copy(statement.loc)
                setattr(statement.loc, _ASSIGNED_ON, call.loc.line)


def install() -> None:
    """Once a process, after check()."""
    inline = inline_closurecall.inline_closure_call

    @functools.wraps(inline)
    def inline_closure_call(func_ir: Any, glbls: Any, block: Any, i: int, callee: Any, *rest: Any, **named: Any) -> Any:
        call = block.body[i]
        result = inline(func_ir, glbls, block, i, callee, *rest, **named)
        code = callee.code if hasattr(callee, "code") else callee.__code__
        if isinstance(call, ir.Assign):
            _place(result[0], code.co_argcount, call)
        return result

    inline_closurecall.inline_closure_call = inline_closure_call

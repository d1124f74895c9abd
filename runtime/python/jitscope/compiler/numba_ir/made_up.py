"""Variables that Numba makes itself, with names that a programmer might use: `size`, `index` and `array` where an array
is made of a list, `ret` and `zero` where parallel=True compares shapes. If the function has a variable of that name,
Numba's would be taken for another version of it; so Numba's get a temporary's name.

This module wraps functions of numba.core.inline_closurecall, numba.parfors and numba.stencils (0.57-0.68)."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Iterator
from types import CodeType, ModuleType
from typing import Any

from numba.core import inline_closurecall, ir, ir_utils
from numba.parfors import array_analysis, parfor_lowering_utils

from jitscope.compiler.numba_ir import bytecode

# Functions whose variables, defined by Scope.redefine, are Numba's own.
_DEFINING = (
    (inline_closurecall, "_inline_arraycall"),
    (inline_closurecall, "_inline_const_arraycall"),
    (inline_closurecall, "_fix_nested_array"),
    (parfor_lowering_utils.ParforLoweringBuilder, "assign"),
)
# numba/stencils/stencilparfor.py, which renames the user's variables by the same function.
_OF_STENCILS = frozenset(
    ("in_arr_shape", "last_ind", "offset_stencil_index", "offset_var", "old_index_var", "zero_val")
)
_PREFIX = "$made_"


def _stencils() -> ModuleType | None:
    for name in ("numba.stencils.stencilparfor", "numba.stencilparfor"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def _named(name: str) -> str:
    return name if name.startswith("$") else f"{_PREFIX}{name}"


def check() -> str | None:
    """Return why this Numba's own variables cannot be distinguished, or None."""
    unique = ((array_analysis, "mk_unique_var"), (ir_utils, "mk_unique_var"), (ir.Scope, "redefine"))
    for owner, name in (*_DEFINING, *unique):
        if not callable(getattr(owner, name, None)):
            return f"{getattr(owner, '__name__', owner)} has no {name}"
    return None


def _codes() -> Iterator[CodeType]:
    for owner, name in _DEFINING:
        yield from bytecode.codes(getattr(owner, name).__code__)


def _stay(block: Any) -> None:
    """Put the code that makes the array on the line of its loop; Numba uses the line on which the block before it
    begins."""
    for statement in block.body:
        if isinstance(statement, ir.Assign) and statement.target.name.startswith(_PREFIX):
            statement.loc = block.terminator.loc


def install() -> None:
    """Wrap the functions in which Numba makes such variables, once for each process, after check()."""
    codes = frozenset(_codes())
    redefine: Any = ir.Scope.redefine

    @functools.wraps(redefine)
    def redefine_made(scope: Any, name: str, *arguments: Any, **named: Any) -> Any:
        is_made = sys._getframe(1).f_code in codes
        return redefine(scope, _named(name) if is_made else name, *arguments, **named)

    ir.Scope.redefine = redefine_made
    inline: Any = inline_closurecall._inline_arraycall

    @functools.wraps(inline)
    def inline_arraycall(func_ir: Any, cfg: Any, visited: Any, loop: Any, *rest: Any, **named: Any) -> Any:
        result = inline(func_ir, cfg, visited, loop, *rest, **named)
        for entry in loop.entries:
            _stay(func_ir.blocks[entry])
        return result

    inline_closurecall._inline_arraycall = inline_arraycall
    unique: Any = ir_utils.mk_unique_var
    array_analysis.mk_unique_var = functools.wraps(unique)(lambda prefix: unique(_named(prefix)))
    stencils: Any = _stencils()
    if stencils is not None:
        stencils.mk_unique_var = functools.wraps(unique)(
            lambda prefix: unique(_named(prefix) if prefix in _OF_STENCILS else prefix)
        )

"""Innermost loops that are left alone at `exact`, because LLVM may optimise them much. If an iteration allocates, works
on whole arrays, strings or containers, prints, yields, or calls functions that LLVM does not see, a few more stores do
not matter; and if it asks for a stop, the user wants to see its variables."""

from __future__ import annotations

from typing import Any

import numba
from numba.core import analysis, ir, types

from jitscope import stops
from jitscope.compiler.flow.flow import Loop

_ON_ELEMENTS = ("getitem", "static_getitem", "typed_getitem", "getattr", "cast", "getiter", "iternext", "pair_first")
_WHOLE = (types.Array, types.UnicodeType, types.Container, types.DictType, types.ListType, types.BoundFunction)

_OPAQUE = (types.ExternalFunctionPointer, types.ExternalFunction, types.FunctionType, types.ObjModeDispatcher)


def is_light(loop: Loop, blocks: dict[int, Any], typemap: dict[str, Any]) -> bool:
    """True if the loop is left alone. `blocks`, `typemap`: the function's, as its lowering has them."""
    return not any(_is_heavy(inst, typemap) for label in loop.blocks for inst in blocks[label].body)


def can_duplicate(loop: Loop, blocks: dict[int, Any]) -> bool:
    """False for loops with a Parfor: Numba takes it apart while lowering, so the loop cannot be written twice."""
    insts = [inst for label in loop.blocks for inst in blocks[label].body]
    return not any(type(inst) in analysis.ir_extension_usedefs for inst in insts)  # these are Parfors


def _yields(inst: Any) -> bool:
    """True if the statement yields: the function is left there, and goes on with the values that the generator
    keeps."""
    return isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Yield)


def has_elements(loop: Loop, blocks: dict[int, Any]) -> bool:
    """True if the loop reads or writes elements, perhaps one after the other."""
    return any(_is_on_elements(inst) for label in loop.blocks for inst in blocks[label].body)


def may_be_endless(loop: Loop, blocks: dict[int, Any]) -> bool:
    """True if nothing counts the loop's iterations, so that LLVM does not vectorise it, and it may not end."""
    insts = [inst for label in loop.blocks for inst in blocks[label].body]
    is_counted = any(
        isinstance(getattr(inst, "value", None), ir.Expr) and inst.value.op == "iternext" for inst in insts
    )
    return not is_counted and (not has_elements(loop, blocks) or _waits(loop, blocks))


def _waits(loop: Loop, blocks: dict[int, Any]) -> bool:
    """True if no exit depends on a variable that the loop assigns, such as if it reads an element until another thread
    has stored it: LLVM assumes that such a loop is left at once or never."""
    made = {
        inst.target.name: inst.value
        for label in loop.blocks
        for inst in blocks[label].body
        if isinstance(inst, ir.Assign)
    }
    waiting = [blocks[source].terminator for source, _ in loop.exits]
    if not all(isinstance(each, ir.Branch) for each in waiting):
        return False
    names, seen = [each.cond.name for each in waiting], set[str]()
    while names:
        name = names.pop()
        if name in seen or name not in made:
            continue
        if not name.startswith("$"):
            return False
        seen.add(name)
        value = made[name]
        if isinstance(value, ir.Var):
            names.append(value.name)
        elif isinstance(value, ir.Expr):
            names += [each.name for each in value.list_vars()]
    return True


def _is_on_elements(inst: Any) -> bool:
    if isinstance(inst, (ir.SetItem, ir.StaticSetItem)):
        return True
    value = inst.value if isinstance(inst, ir.Assign) else None
    return isinstance(value, ir.Expr) and value.op in ("getitem", "static_getitem", "typed_getitem")


def _is_heavy(inst: Any, typemap: dict[str, Any]) -> bool:
    if isinstance(inst, ir.Print) or _yields(inst):
        return True
    if not isinstance(inst, ir.Assign) or not isinstance(inst.value, ir.Expr) or inst.value.op in _ON_ELEMENTS:
        return False
    function = typemap.get(inst.value.func.name) if inst.value.op == "call" else None
    if getattr(function, "typing_key", None) in (stops.breakpoint, stops.breakpoint_if, numba.gdb_breakpoint):
        return True
    if isinstance(function, _OPAQUE):
        return True
    named = [inst.target, *inst.value.list_vars()]
    return any(_is_whole(typemap.get(variable.name)) for variable in named)


def _is_whole(kind: Any) -> bool:
    return isinstance(kind, _WHOLE) and not isinstance(kind, types.BaseTuple)  # indices of two dimensions are a tuple

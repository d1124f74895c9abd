"""The sum or product of a parallel loop, which its workers' parts are put together to, checked by traps.

Numba does this after the loop, in a function of its own (numba/parfors/parfor_lowering.py, _emit_binop_reduce_call,
0.57-0.68): the variable's value before the loop, and then one part after the other, in the workers' order."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir as llvm_ir
from numba.core import cgutils, types
from numba.np import arrayobj

from jitscope.compiler.lowered import checks
from jitscope.compiler.lowered.traps import Traps

PART = "a worker's part"  # the operand's name in the sentence
METHOD = "_emit_binop_reduce_call"
# Parts of differences are negative, and are added.
_SIGNS = {
    **dict.fromkeys((operator.iadd, operator.add, operator.isub, operator.sub), "+"),
    **dict.fromkeys((operator.imul, operator.mul), "*"),
}


def check(lower: Any, traps: Traps, function: Any, count: Any, parts: Any) -> None:
    """Check each step. `function`: the loop's operator; `count`: the variable with the number of parts; `parts`: the
    reduction, as Numba describes it (_ReductionInfo)."""
    kind, array, sign = types.unliteral(parts.redvar_typ), parts.redarr_typ, _SIGNS.get(function)
    if sign is None or not (isinstance(kind, types.Integer) or checks.is_float(kind)):
        return
    if not isinstance(array, types.Array) or array.ndim != 1 or array.dtype != kind:
        return
    builder, context = lower.builder, lower.context
    held = context.make_array(array)(context, builder, lower.loadvar(parts.redarr_var.name))
    total = cgutils.alloca_once_value(builder, parts.init_val)
    with cgutils.for_range(builder, lower.loadvar(count.name)) as loop:
        place = cgutils.get_item_pointer(context, builder, array, held, [loop.index])
        values = [builder.load(total), arrayobj.load_item(context, builder, array, place)]
        made = _computed(builder, sign, kind, values)
        traps.check(sign, [traps.name_of(parts.redvar_name), PART], [kind, kind], values, made, kind)
        builder.store(made, total)


def _computed(builder: llvm_ir.IRBuilder, sign: str, kind: Any, values: list[llvm_ir.Value]) -> llvm_ir.Value:
    if isinstance(kind, types.Integer):
        return checks.computed(builder, sign, values)
    return (builder.fadd if sign == "+" else builder.fmul)(*values)

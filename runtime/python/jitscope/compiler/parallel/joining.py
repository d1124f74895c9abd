"""The connection of kernels with their outer functions: this module wraps the functions of Numba that make kernels,
name their variables, move statements, and lower them."""

from __future__ import annotations

import copy
import functools
import itertools
from typing import Any

from numba.core import debuginfo, inline_closurecall, ir, lowering, types
from numba.parfors import parfor as parfors
from numba.parfors import parfor_lowering

from jitscope.compiler.base import levels
from jitscope.compiler.numba_ir import bytecode, remnants
from jitscope.compiler.parallel import kernels, parfor_loops

MOVED = "_jitscope_moved"  # attribute of a statement that may have been moved to the other side of a parallel loop


def check() -> str | None:
    """Return why kernels cannot be joined to their functions in this Numba, or None."""
    for owner, names in (
        (
            parfor_lowering,
            ("_create_gufunc_for_parfor_body", "legalize_names_with_typemap", "hoist", "_hoist_internal"),
        ),
        (lowering.Lower, ("_compute_def_location", "__init__")),
        (inline_closurecall, ("_created_inlined_var_name",)),
        (parfors, ("Parfor", "_can_reorder_stmts", "ParforFusionPass")),
        (getattr(parfors, "ParforFusionPass", None), ("fuse_parfors",)),
    ):
        for name in names:
            if not hasattr(owner, name):
                return f"{getattr(owner, '__name__', owner)} has no {name}"
    return None


_PLAIN = (types.Integer, types.Float, types.Complex, types.Boolean)


def _keep_arguments(lowerer: Any, parfor: Any, kernel: kernels.Kernel) -> None:
    """Give the kernel also the function's arguments that the loop's source reads, and Numba no longer does."""
    if lowerer.generator_info:
        return
    typemap = lowerer.fndesc.typemap
    for name, kind, value in zip(lowerer.func_ir.arg_names, lowerer.fndesc.argtypes, lowerer.fnargs):
        simple = kind.dtype if type(kind) is types.Array and kind.ndim else kind
        if name not in kernel.reads or not isinstance(simple, _PLAIN) or isinstance(simple, types.Literal):
            continue
        if kernel.is_given(name, parfor.params) or value.type != lowerer.context.get_value_type(kind):
            continue
        given = next(each for version in itertools.count() if (each := f"${name}.{version}") not in typemap)
        typemap[given] = kind
        with debuginfo.suspend_emission(lowerer.builder):
            lowerer.builder.store(value, lowerer.getvar(given))
        parfor.params = {*parfor.params, given}
        kernel.unread[given] = name


def _part(parfor: Any) -> None:
    """Separate SSA's copies in a loop from those after it, which may be the same objects: Numba changes names in them
    for the kernel. Without the hook these copies are removed as dead."""
    for each in parfor_loops.with_inner(parfor):
        for block in each.loop_body.values():
            block.body = [
                copy.copy(inst) if isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Var) else inst
                for inst in block.body
            ]


def _keeps_place(statement: Any, func_ir: Any) -> bool:
    """True if a debugger would show that this statement has been moved to the other side of a parallel loop."""
    if not levels.is_followed(func_ir.func_id.func):
        return False
    if levels.level_of(func_ir.func_id.func) == levels.STEPS:
        return True
    code = func_ir.func_id.code
    own = bytecode.variables(code)
    return isinstance(statement, ir.Assign) and statement.target.name.partition(".")[0] in own


def install() -> None:
    """Wrap Numba, once for each process. From then on `Lower` objects have an attribute `kernel`: a Kernel, or None."""
    _wrap_making()
    _wrap_hoisting()
    _wrap_naming()
    _wrap_moving()
    _wrap_lowering()


def _wrap_making() -> None:
    make, legalize = parfor_lowering._create_gufunc_for_parfor_body, parfor_lowering.legalize_names_with_typemap

    @functools.wraps(make)
    def create(lowerer: Any, parfor: Any, *arguments: Any, **named: Any) -> Any:
        if not lowerer.flags.debuginfo:
            with kernels.with_lines(lowerer, parfor):
                return make(lowerer, parfor, *arguments, **named)
        if levels.is_left_alone(lowerer.func_ir.func_id.func, lowerer.flags):
            with levels.piece_of(levels.choice_of(lowerer.func_ir.func_id.func, flags=lowerer.flags)):
                return make(lowerer, parfor, *arguments, **named)
        _part(parfor)
        kernels.being_made.append(kernels.Kernel(lowerer, parfor))
        _keep_arguments(lowerer, parfor, kernels.being_made[-1])
        try:
            return make(lowerer, parfor, *arguments, **named)
        finally:
            kernels.being_made.pop()

    @functools.wraps(legalize)
    def legalize_names(names: Any, typemap: Any) -> Any:
        legal = legalize(names, typemap)
        if kernels.being_made:
            kernels.being_made[-1].legalized(legal)
        return legal

    parfor_lowering._create_gufunc_for_parfor_body = create
    parfor_lowering.legalize_names_with_typemap = legalize_names


def _wrap_hoisting() -> None:
    hoist, hoist_one = parfor_lowering.hoist, parfor_lowering._hoist_internal

    @functools.wraps(hoist)
    def hoist_out(parameters: Any, body: Any, *arguments: Any, **named: Any) -> Any:
        before = {label: list(block.body) for label, block in body.items()}
        found = hoist(parameters, body, *arguments, **named)
        if kernels.being_made:
            for label, block in body.items():
                remnants.leave(
                    before[label], block, kernels.being_made[-1].header.filename, kernels.being_made[-1].user_name
                )
        return found

    @functools.wraps(hoist_one)
    def _hoist_internal(inst: Any, *arguments: Any, **named: Any) -> Any:
        is_users = bool(kernels.being_made) and kernels.being_made[-1].user_name(inst.target.name) is not None
        if is_users and (isinstance(inst.value, ir.Const) or kernels.being_made[-1].choice.level == levels.STEPS):
            return False  # a variable is assigned where the source says
        return hoist_one(inst, *arguments, **named)

    parfor_lowering.hoist = hoist_out
    parfor_lowering._hoist_internal = _hoist_internal


def _wrap_naming() -> None:
    inline = inline_closurecall._created_inlined_var_name

    @functools.wraps(inline)
    def inlined_name(function_name: str, var_name: str) -> Any:
        name = inline(function_name, var_name)
        if not var_name.startswith("$"):
            kernels.note_inlined(name, function_name, var_name)
        return name

    inline_closurecall._created_inlined_var_name = inlined_name


def _wrap_moving() -> None:
    may_move, fuse = parfors._can_reorder_stmts, parfors.ParforFusionPass.fuse_parfors

    @functools.wraps(may_move)
    def _can_reorder_stmts(stmt: Any, next_stmt: Any, func_ir: Any, *arguments: Any, **named: Any) -> Any:
        moved = next_stmt if isinstance(stmt, parfors.Parfor) else stmt
        if _keeps_place(moved, func_ir):
            return False
        found = may_move(stmt, next_stmt, func_ir, *arguments, **named)
        if found:
            setattr(moved, MOVED, True)
        return found

    @functools.wraps(fuse)
    def fuse_parfors(self: Any, array_analysis: Any, blocks: Any, func_ir: Any, *arguments: Any) -> Any:
        if remnants.is_at_steps(func_ir, kernels.of(func_ir)):
            return None  # the source's loops run one after the other
        return fuse(self, array_analysis, blocks, func_ir, *arguments)

    parfors._can_reorder_stmts = _can_reorder_stmts
    parfors.ParforFusionPass.fuse_parfors = fuse_parfors


def _wrap_lowering() -> None:
    initialise, locate = lowering.Lower.__init__, lowering.Lower._compute_def_location

    @functools.wraps(initialise)
    def __init__(self: Any, context: Any, library: Any, fndesc: Any, func_ir: Any, *rest: Any, **named: Any) -> None:
        self.kernel = kernels.of(func_ir)
        if self.kernel is not None:
            self.kernel.adopt(func_ir, fndesc.typemap)
        initialise(self, context, library, fndesc, func_ir, *rest, **named)
        if self.kernel is not None:
            self.debuginfo.name = self.kernel.name
            self.debuginfo.has_lines = bool(self.kernel.loop)

    @functools.wraps(locate)
    def _compute_def_location(self: Any) -> ir.Loc:
        # Numba finds no source of a kernel, and would warn of that.
        return self.kernel.header if self.kernel is not None else locate(self)

    lowering.Lower.__init__ = __init__
    lowering.Lower._compute_def_location = _compute_def_location

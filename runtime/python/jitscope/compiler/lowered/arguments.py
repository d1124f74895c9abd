"""The arguments of a function that is being lowered; the function begins when they have their values."""

from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm_ir
from numba.core import debuginfo, ir

from jitscope.compiler.base.emit import settled
from jitscope.compiler.debuginfo import dibuilder
from jitscope.compiler.flow.flow import Flow
from jitscope.compiler.slots.variables import Variables


def _is_argument(inst: Any) -> bool:
    return isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Arg)


class Arguments:
    """The state of the arguments. `assignments`: the statements that give them to variables. `passed`: versions to
    which the caller has a reference, too. `has_begun`: True once the first statement after the assignments has
    begun."""

    def __init__(self, lower: Any, flow: Flow, variables: Variables) -> None:
        self._lower = lower
        self._flow = flow
        self._variables = variables
        entry = lower.blocks[min(lower.blocks)].body
        last = max((n for n, inst in enumerate(entry) if _is_argument(inst)), default=-1)
        self.assignments = [inst for inst in entry if _is_argument(inst)]
        self._entry = {id(inst) for inst in entry[: last + 1]}
        self.passed = set() if lower.generator_info else flow.given()
        self.has_begun = False
        self.unsettled: list[Any] = []  # statements that have given an argument its value

    def give(self) -> None:
        """Show the arguments that have their value all the time: a generator's, as long as it lives, and those that
        nothing reads."""
        lower, given = self._lower, self._flow.given() - self._flow.changed()
        for name, kind, value in zip(lower.func_ir.arg_names, lower.fndesc.argtypes, lower.fnargs):
            variable = self._variables.get(self._flow.names.unchanged.get(name, name))
            if variable is None:
                continue
            is_kept = lower.generator_info and name in given and kind == lower.typeof(name)
            if is_kept or variable in self._variables.unread:
                if value is not None:  # the argument was not omitted
                    with debuginfo.suspend_emission(lower.builder):
                        self._variables.give(lower.builder, variable, value)
                if not variable.is_given:
                    self._variables.lose(variable)
        with debuginfo.suspend_emission(lower.builder):
            self._variables.give_constants(lower.builder)
        for number, variable in self._variables.overwritten.items():
            with debuginfo.suspend_emission(lower.builder):
                kind, value = lower.fndesc.argtypes[number], lower.fnargs[number]
                if not self._variables.begin_with(lower.builder, variable, kind, value):
                    self._variables.lose(variable)

    def is_giving(self, inst: Any, marked: dict[int, Any]) -> bool:
        """True if the statement is between the assignments, or copies an argument. `marked`: statements with a
        marker."""
        return id(inst) in self._entry and id(inst) not in marked or self._flow.is_copy(inst)

    def settle(self, line: int, is_apart: bool) -> None:
        """Emit the unsettled arguments. `is_apart`: code that computes with arguments begins after the first marker,
        because LLVM would schedule it before they are stored, and inlined code has lines to stop at."""
        found: dict[str, llvm_ir.Value] = {}
        lower, builder = self._lower, self._lower.builder
        before = builder.debug_metadata
        builder.debug_metadata = lower.debuginfo.location(max(line, 1), dibuilder.OTHER)
        for inst in self.unsettled if is_apart else ():
            if _is_argument(inst):
                value = settled(builder, builder.load(lower.getvar(inst.target.name)))
            elif isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Var) and inst.value.name in found:
                kinds = lower.typeof(inst.value.name), lower.typeof(inst.target.name)
                value = lower.context.cast(builder, found[inst.value.name], *kinds)
            else:
                continue
            found[inst.target.name] = value
            builder.store(value, lower.getvar(inst.target.name))
        builder.debug_metadata = before
        self.unsettled.clear()

"""Names that a function shares with functions that Numba has inlined into it: on each line one of them is shown."""

from __future__ import annotations

from collections.abc import Iterable

from llvmlite import ir as llvm_ir

from jitscope.compiler.flow.flow import Flow
from jitscope.compiler.slots.area import ASSIGNED, UNASSIGNED, UNKNOWN
from jitscope.compiler.slots.variables import Variable, Variables


class HiddenNames:
    """The names to hide, by line. `inner`: variables of the inlined functions alone."""

    def __init__(self, flow: Flow, variables: Variables, inner: Iterable[Variable]) -> None:
        self._flow = flow
        self._variables = variables
        self._inner = inner
        self._hidden = flow.hidden()
        self._kept: list[Variable] = []  # variables whose state is kept elsewhere meanwhile
        self._anywhere: set[str] = set()

    def plan(self, marked: Iterable[int], is_generator: bool) -> None:
        """Plan the names to hide, before the code is written. `marked`: lines that have a marker."""
        names = {name for line in marked for name in self._hidden.get(line, ())}
        found = {name: variable for name in names if (variable := self._variables.get(name)) is not None}
        self._anywhere = {name for name, variable in found.items() if not variable.is_sometimes_unknown}
        for name, variable in found.items():
            is_kept = variable.is_sometimes_unknown and not variable.is_never_known and not is_generator
            if is_kept:
                self._variables.keep_word(variable)
                self._kept.append(variable)
            else:  # a variable that a generator does not know here stays unknown from there on
                self._variables.may_be_unknown(variable, never_known=name not in self._anywhere)

    def hide(self, builder: llvm_ir.IRBuilder, line: int, assigned: set[str]) -> None:
        """Hide, on the lines of an inlined function, each variable whose name the inlined function has, too."""
        builder.debug_metadata = None  # with a line, LLDB would stop here, before the marker
        for inner in self._inner if line not in self._flow.names.inner.lines else ():
            if not inner.is_never_known:
                self._variables.set_state(builder, inner, UNASSIGNED)
        for kept in self._kept:
            if kept.name in self._hidden.get(line, ()):
                self._variables.show_state(builder, kept, UNKNOWN)
            else:
                self._variables.show_kept(builder, kept)
        for name in sorted(self._anywhere):
            variable = self._variables.get(name)
            if variable is not None and name in self._hidden.get(line, ()):
                self._variables.set_state(builder, variable, UNKNOWN)
            elif variable is not None and name in assigned and not variable.is_never_known:
                self._variables.set_state(builder, variable, ASSIGNED)

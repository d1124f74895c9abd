"""A parallel loop that Numba has made of several: it assigns variables before the lines where the source assigns
them."""

from __future__ import annotations

from collections.abc import Container

from llvmlite import ir as llvm_ir

from jitscope.compiler.slots.area import ASSIGNED, UNKNOWN
from jitscope.compiler.slots.variables import Variable, Variables


class FusedLoop:
    """The fused loop that is being lowered. A variable that it assigns from its header on has no value yet while it
    runs, because in the caller of a worker the program is at the first of the loops."""

    def __init__(self, variables: Variables) -> None:
        self._variables = variables
        self._header: int | None = None  # the line of its header; None: no such loop is being lowered
        # variables that it has assigned, with the line where the source assigns them
        self._early: dict[Variable, int] = {}
        self._awaited: dict[int, list[Variable]] = {}  # by line: variables that such loops have assigned before it

    def begin(self, header: int) -> None:
        self._header = header

    def assign(self, builder: llvm_ir.IRBuilder, variable: Variable, line: int) -> None:
        """Record that a statement of this line has assigned the variable."""
        is_early = self._header is not None and line >= self._header
        if is_early and variable.word is not None and not variable.is_never_known:
            self._variables.set_state(builder, variable, UNKNOWN)
            self._early[variable] = line

    def end(self, builder: llvm_ir.IRBuilder, marked: Container[int]) -> None:
        """End the loop. marked: lines that have a marker, at which arrive() shows the assigned variables."""
        self._header = None
        for variable, line in self._early.items():
            if line in marked:
                self._awaited.setdefault(line, []).append(variable)
            else:
                self._variables.set_state(builder, variable, ASSIGNED)
        self._early.clear()

    def arrive(self, builder: llvm_ir.IRBuilder, line: int) -> None:
        for variable in self._awaited.get(line, ()):
            self._variables.set_state(builder, variable, ASSIGNED)

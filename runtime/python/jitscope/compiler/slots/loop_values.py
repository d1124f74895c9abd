"""Values of variables of loops that are written without slots: while such a loop runs, and after it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

from jitscope.compiler.flow.flow import Edge, Flow, Loop
from jitscope.compiler.flow.loops import has_elements
from jitscope.compiler.slots.variables import Variable, Variables


@dataclasses.dataclass(frozen=True)
class LoopPlan:
    """The decisions made before the blocks are lowered. `loops`: the loops that are written without slots; `loop_of`:
    the loop by label, in the first copy; `removed`: line → variables that the source assigns there, and the IR does
    not; `vanished`: removed variables on lines that begin nowhere; `marked`: lines that have a marker; `inner`:
    variables of functions that were inlined; `lines_of`: returns the user's lines in blocks."""

    loops: list[Loop]
    loop_of: dict[int, Loop]
    marked: set[int]
    inner: Iterable[Variable]
    removed: dict[int, set[str]]
    vanished: set[str]
    lines_of: Callable[[Iterable[int]], set[int]]


class LoopValues:
    """The variables of the loops of a plan.

    `leaving`: the variables that have a value when their loop is left: those that the program reads after it
    (`reading`; they are assigned on all paths to the exits), and those whose value in the last iteration costs nothing.
    `called`: by the exit, the variables of an inlined function that leaves the loop there. `untold`: variables never
    known in a loop; `lost`: variables that are unknown even where the loop raises."""

    def __init__(self, flow: Flow, variables: Variables, plan: LoopPlan) -> None:
        self._flow = flow
        loops, removed, vanished = plan.loops, plan.removed, plan.vanished
        # variables that the IR no longer assigns there, and that are not known from the loop on
        unassigned: dict[Loop, set[str]] = {}
        for loop in loops:
            lines = {inst.loc.line for label in loop.blocks for inst in flow.blocks[label].body} | plan.lines_of(
                loop.blocks
            )
            unassigned[loop] = {name for line in lines for name in removed.get(line, ())}
            loop.assigned |= unassigned[loop]
        lost = flow.lost(plan.marked)
        inlined = {variable.name for variable in plan.inner}
        self.lost = lost.union(*removed.values())
        self.untold = self.lost | inlined
        inside = {name for loop in loops for name in loop.assigned}
        outside = {name for label in flow.blocks if label not in plan.loop_of for name in flow.assigned_in(label)}
        self.called: dict[Edge, list[Variable]] = {}
        self.leaving: dict[Loop, list[Variable]] = {}
        self.reading: dict[Loop, set[str]] = {}
        shadowed: dict[str, Variable] = {}
        for loop in loops:
            named = {variable.name: variable for variable in variables if not variable.is_changing}
            assigned = (loop.assigned & named.keys()) - unassigned[loop] - lost - inlined
            read = assigned.intersection(*(self._read_after(edge) for edge in loop.exits))
            kept = assigned & self._last_iterations(loop) - read
            self.reading[loop] = read
            self.leaving[loop] = [named[name] for name in sorted(read | kept)]
            shadowed |= {name: named[name] for name in kept}
            for edge in loop.exits:
                self.called[edge] = [named[name] for name in self._of_call(loop, edge, inlined - lost) if name in named]
                shadowed |= {variable.name: variable for variable in self.called[edge]}
        for name in inside:
            if variable := variables.get(name):
                known = outside.union(*self.reading.values(), shadowed)
                variables.may_be_unknown(variable, never_known=name not in known)
        for name in vanished | set().union(*removed.values()):
            if variable := variables.get(name):
                variables.may_be_unknown(variable, never_known=False, at_first=name in vanished)
        for name in lost:
            if variable := variables.get(name):
                variables.lose(variable)
        for variable in shadowed.values():
            variables.shadow(variable)

    def _of_call(self, loop: Loop, edge: Edge, inlined: set[str]) -> list[str]:
        """Return the variables of an inlined function that leaves the loop on this edge, such as by an exception."""
        line = self._flow.blocks[edge[1]].body[0].loc.line
        inner = self._flow.names.inner
        return sorted(name for name in loop.assigned & inlined if inner.first_of(name, line))

    def _read_after(self, edge: Edge) -> set[str]:
        """Return the variables that have a value on the exit, and that the program keeps there."""
        return {name for name in self._flow.definite_after(edge[0]) if self._flow.holder(edge, name)}

    def _last_iterations(self, loop: Loop) -> set[str]:
        """Return the variables whose last value is kept: only the counters of the iterations, if LLVM may work on
        several elements at once."""
        on_arrays = has_elements(loop, self._flow.blocks)
        return self._flow.items(loop) if on_arrays else self._flow.assigned_each_iteration(loop)

"""The plan of a function's loops, markers and removed lines, made before its blocks are lowered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jitscope.compiler.base import levels
from jitscope.compiler.flow.flow import Flow, Loop
from jitscope.compiler.flow.lines import Lines
from jitscope.compiler.flow.loops import can_duplicate, is_light
from jitscope.compiler.slots.loop_values import LoopPlan
from jitscope.compiler.slots.variables import Variable


class Plan:
    """The plan of one function. `loops`: loops that are written without slots; `twice`: by the header, those that also
    have a copy with slots; `loop_of`: by label, loops that have no slots in the first copy; `loop_lines`: the user's
    lines in these. `removed`: line → variables that the source assigns there, and the IR does not; `vanished`: removed
    variables on lines that are nowhere, so that they are never known to be unassigned. `marked`: lines that have a
    marker."""

    def __init__(self, lower: Any, flow: Flow, level: str, is_fast: bool) -> None:
        is_twice = level == levels.STEPS
        self._flow = flow
        self.loops = self._plain_loops(lower, is_fast, is_twice)
        self.twice = {loop.header: loop for loop in self.loops if is_twice}
        self.loop_of = {} if is_twice else {label: loop for loop in self.loops for label in loop.blocks}
        self.removed = flow.removed()
        lines = Lines(flow, self.removed)
        self._lines_of = lines.of
        self.loop_lines = lines.of(self.loop_of)
        self.markers, self.has_try = lines.markers(), lines.has_try
        self.marked = self.markers.lines()
        self._place_markers()
        self.vanished = {name for line, names in self.removed.items() if line not in self.marked for name in names}

    def loop_plan(self, inner: Iterable[Variable]) -> LoopPlan:
        """Return the plan for the loops' variables. `inner`: variables of functions that were inlined."""
        return LoopPlan(self.loops, self.loop_of, self.marked, inner, self.removed, self.vanished, self._lines_of)

    def _plain_loops(self, lower: Any, is_fast: bool, is_twice: bool) -> list[Loop]:
        """Return the loops that are written without slots. `is_twice`: in addition to a copy that has them."""
        return [
            loop
            for loop in (self._flow.loops if is_fast and not (is_twice and levels.loops() == levels.STEPPED) else ())
            if is_light(loop, lower.blocks, lower.fndesc.typemap)
            and not (is_twice and not can_duplicate(loop, lower.blocks))
        ]

    def _place_markers(self) -> None:
        """Move the markers of loops without slots to where these loops are left."""
        found = self.markers
        for label, line in list(found.at_end.items()):
            if loop := self.loop_of.get(label):
                del found.at_end[label]
                (target, _), *_ = self._flow.cfg.successors(label)
                if target not in loop.blocks:
                    found.at_edge[label, target] = line
        for source, target in list(found.at_edge):
            if source in self.loop_of and self.loop_of[source] is self.loop_of.get(target):
                del found.at_edge[source, target]

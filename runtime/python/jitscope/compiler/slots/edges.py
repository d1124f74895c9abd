"""Code on the edges between blocks: markers and values that belong to one edge only, and the choice between a loop's
two copies."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

from llvmlite import ir as llvm_ir

from jitscope.compiler.base import debugged
from jitscope.compiler.base.emit import boundary
from jitscope.compiler.flow.flow import Edge, Flow, Loop
from jitscope.compiler.flow.lines import Markers
from jitscope.compiler.flow.loops import may_be_endless
from jitscope.compiler.slots.area import UNKNOWN
from jitscope.compiler.slots.loop_values import LoopValues
from jitscope.compiler.slots.variables import Variables


@dataclasses.dataclass
class Writing:
    """The LLVM blocks written for Numba's blocks: the first and the last for each, and, by the block of a loop's
    header, the loop's next item. `loop`: the loop whose second copy these blocks are; None: they are the function
    itself."""

    loop: Loop | None = None
    first: dict[int, llvm_ir.Block] = dataclasses.field(default_factory=dict)
    ends: dict[int, llvm_ir.Block] = dataclasses.field(default_factory=dict)
    items: dict[int, tuple[str, llvm_ir.Value]] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Shown:
    """The parts of a function that a debugger can show: markers, and variables with their values in loops. `loop_of`:
    blocks of loops that have no slots in the first copy."""

    flow: Flow
    variables: Variables
    values: LoopValues
    markers: Markers
    loop_of: dict[int, Loop]


class Edges:
    """The writer of code on edges. `mark` writes a line's marker. `without_stops` receives the blocks in which no
    debugger stops."""

    def __init__(
        self,
        lower: Any,
        shown: Shown,
        mark: Callable[[llvm_ir.IRBuilder, int], None],
        without_stops: set[llvm_ir.Block],
    ) -> None:
        self._lower = lower
        self._debug = lower.debuginfo
        self._flow = shown.flow
        self._variables = shown.variables
        self._values = shown.values
        self._markers = shown.markers
        self._loop_of = shown.loop_of
        self._mark = mark
        self._without_stops = without_stops
        self._plain: dict[int, Writing] = {}

    def write(self, stepped: Writing, plain: dict[int, Writing], loops: list[Loop]) -> None:
        """Write the code on all edges. `plain`: by the header, second copies of loops."""
        self._plain = plain
        edges = dict.fromkeys(self._markers.at_edge)
        edges |= dict.fromkeys(edge for loop in loops for edge in (*loop.entries, *loop.exits))
        for written in (stepped, *plain.values()):
            own = dict(edges) if written.loop is None else dict.fromkeys(self._edges_of(written.loop))
            own |= {(label, self._flow.blocks[label].terminator.truebr): None for label in written.items}
            for source, target in own:
                self._split(written, source, target)

    def _edges_of(self, loop: Loop) -> list[Edge]:
        """Return the edges that leave a loop's second copy; they serve the first copy, too."""
        return [*loop.exits, *(loop.back if may_be_endless(loop, self._flow.blocks) else ())]

    def _assign_item(self, builder: llvm_ir.IRBuilder, name: str, value: llvm_ir.Value, is_unknown: bool) -> None:
        base = self._flow.names.base(name) or name
        if (variable := self._variables.get(base)) is not None:
            self._variables.store_shadow(builder, variable, value)
            if not is_unknown:
                self._variables.store(builder, variable, name, value, known=False)

    def _split(self, written: Writing, source: int, target: int) -> None:
        """Put a block on the edge from `source` to `target`, with the code that belongs only there."""
        is_plain = written.loop is not None
        first = written.first.get(target) or self._lower.blkmap[target]
        end = written.ends.get(source)
        if end is None or not end.is_terminated or first not in end.terminator.operands:
            return
        between = self._lower.builder.function.append_basic_block(f"jitscope.{source}.{target}")
        builder = llvm_ir.IRBuilder(between)  # without lines, because LLDB would stop here, before the line's marker
        if (item := written.items.get(source)) and target == self._flow.blocks[source].terminator.truebr:
            self._assign_item(builder, *item, is_unknown=is_plain or source in self._loop_of)
        left, entered = written.loop or self._loop_of.get(source), self._loop_of.get(target)
        if written.loop is not None and target in written.first:
            entered = left
            if (source, target) in written.loop.back:
                self._change_over(builder, written.loop, (source, target))
        if left is not None and left is not entered:
            self._restore(builder, left, (source, target))
            if is_plain and (line_after := self._markers.at_end.get(source)) is not None:
                self._mark(builder, line_after)
        if left is not entered or not is_plain:
            if (line_there := self._markers.at_edge.get((source, target))) is not None:
                self._mark(builder, line_there)
        if entered is not None and left is not entered:
            self._enter(builder, entered)
        other = self._plain.get(target)
        if other is not None and other.loop is not None and source not in other.loop.blocks:
            self._choose(builder, first, other)
        else:
            builder.branch(first)
        terminator = end.terminator
        terminator.operands = [between if operand is first else operand for operand in terminator.operands]

    def _choose(self, builder: llvm_ir.IRBuilder, stepped: llvm_ir.Block, other: Writing) -> None:
        """Emit the choice which of a loop's two copies runs."""
        assert other.loop is not None
        way_in = self._lower.builder.function.append_basic_block(f"jitscope.plain.{other.loop.header}")
        chosen = builder.cbranch(debugged.is_debugged(builder), stepped, way_in)
        chosen.set_weights([1, 1000])
        entering = llvm_ir.IRBuilder(way_in)
        entering.debug_metadata = builder.debug_metadata
        self._without_stops.add(way_in)
        self._enter(entering, other.loop)
        entering.branch(other.first[other.loop.header])

    def _change_over(self, builder: llvm_ir.IRBuilder, loop: Loop, edge: Edge) -> None:
        """Emit the jump to the loop's first copy: once a debugger has come, that copy runs from the next iteration
        on."""
        function, location = self._lower.builder.function, builder.debug_metadata
        over, on = (function.append_basic_block(f"jitscope.{each}.{loop.header}") for each in ("over", "on"))
        builder.cbranch(debugged.is_debugged(builder), over, on).set_weights([1, 1000])
        builder.position_at_end(over)
        boundary(builder)
        holding = self._flow.holding_after(edge[0])
        for name in sorted(loop.assigned & self._flow.definite_after(edge[0]) - self._values.untold):
            variable, versions = self._variables.get(name), holding.get(name)
            if variable is not None and versions:
                version = min(versions)
                self._variables.store(
                    builder, variable, version, builder.load(self._lower.getvar(version)), known=False
                )
        line = self._markers.at_end.get(edge[0]) or self._markers.at_edge.get(edge)
        if line is not None:
            self._mark(builder, line)
        builder.branch(self._lower.blkmap[loop.header])
        builder.position_at_end(on)
        builder.debug_metadata = location

    def _enter(self, builder: llvm_ir.IRBuilder, loop: Loop) -> None:
        """Enter a loop without slots: the variables that it assigns become unknown."""
        for name in sorted(loop.assigned):
            changed = self._variables.get(name)
            if changed is not None and not changed.is_never_known:
                self._variables.show_state(builder, changed, UNKNOWN)

    def _restore(self, builder: llvm_ir.IRBuilder, loop: Loop, edge: Edge) -> None:
        """Give the variables that leave a loop their values on one of the exits; no code of the loop itself runs after
        it."""
        stores: list[Callable[[], None]] = []
        for variable in self._values.leaving[loop]:
            if variable.name in self._values.reading[loop]:
                version = min(self._flow.holder(edge, variable.name))
                value = builder.load(self._lower.getvar(version))
                stores.append(functools.partial(self._variables.store, builder, variable, version, value, known=False))
            else:
                stores.append(self._variables.restoring(builder, variable))
        stores += [self._variables.restoring(builder, called) for called in self._values.called.get(edge, ())]
        boundary(builder)
        for store in stores:
            store()

"""One function that is being lowered: the stores to its variables' slots, and the places of its markers.

At `steps` each assignment is followed by a volatile store, and each line begins with a marker. At `exact` innermost
loops are left alone: a variable assigned in one is unknown there, and has its value again after the loop if the program
still needs it. At `steps` such a loop is written twice, and its entry decides which copy runs: without a debugger, the
copy that is left alone."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from llvmlite import ir as llvm_ir
from numba.core import config, debuginfo, ir, pylowering

from jitscope.compiler.base import levels, own_code, recording
from jitscope.compiler.base.emit import INT64, assembly, boundary, marker, raising_marker
from jitscope.compiler.base.holders import Holders
from jitscope.compiler.debuginfo import dibuilder
from jitscope.compiler.flow.flow import Flow, Loop
from jitscope.compiler.linked import plain, raising
from jitscope.compiler.lowered.arguments import Arguments
from jitscope.compiler.lowered.element_traps import ElementTraps
from jitscope.compiler.lowered.fused_loop import FusedLoop
from jitscope.compiler.lowered.hidden_names import HiddenNames
from jitscope.compiler.lowered.lines_kept import LinesKept
from jitscope.compiler.lowered.plan import Plan
from jitscope.compiler.lowered.position import Position
from jitscope.compiler.numba_ir import bytecode, frames, pruning
from jitscope.compiler.parallel.kernels import inlined
from jitscope.compiler.slots import kept_values
from jitscope.compiler.slots.area import UNASSIGNED, UNKNOWN, Area
from jitscope.compiler.slots.edges import Edges, Shown, Writing
from jitscope.compiler.slots.loop_values import LoopValues
from jitscope.compiler.slots.variables import Variable, Variables
from jitscope.compiler.slots.waiting import Room


class Function:
    """The writer of the slots and the markers of one function while Numba lowers it.

    `starts_loops`: True if the function starts parallel loops."""

    def __init__(self, lower: Any, level: str) -> None:
        self._lower = lower
        self.level = level
        self._builder: llvm_ir.IRBuilder = lower.builder
        self._debug = lower.debuginfo
        self._is_object_mode = isinstance(lower, pylowering.PyLower)
        self._flow = Flow(lower.func_ir, lower.blocks, getattr(lower, "kernel", None), inlined)
        self._area = Area(lower.builder)
        self._holders = Holders(lower)
        # Without LLVM's optimisations no speed is lost.
        is_fast = config.OPT != 0 and not self._is_object_mode
        self._plan = Plan(lower, self._flow, level, is_fast)
        self._loop_of = self._plan.loop_of  # by block: the loop that is written without slots and markers
        self._variables = Variables(lower, self._flow, self._area)
        inner = [each for name in self._flow.names.inner.names if (each := self._variables.get(name))]
        for variable in inner:
            variable.is_sometimes_unknown = True  # its function may be called again
        self._values = LoopValues(self._flow, self._variables, self._plan.loop_plan(inner))
        self._hidden = HiddenNames(self._flow, self._variables, inner)
        self._hidden.plan(self._plan.marked, bool(lower.generator_info))
        self._plan_unknown()
        self._arguments = Arguments(lower, self._flow, self._variables)
        self._settles = is_fast and level != levels.STEPS
        self._fused = FusedLoop(self._variables)
        self._at = Position(self._flow, lower.blocks)
        self._blocks = Writing(first=lower.blkmap)
        self._without_stops: set[llvm_ir.Block] = set()  # all blocks of loops' second copies
        self.starts_loops = False
        self.llvm_function = self._builder.function
        self._room: Room | None = None
        self._traps = ElementTraps(lower, self._flow.names.base, self._debug)
        if not self._is_object_mode:
            raising.watch(self.llvm_function, self)
            if lower.generator_info:
                self._room = Room(lower, self._area)
                frames.remember(lower)
            self._arguments.give()

    @property
    def has_try(self) -> bool:
        return self._plan.has_try

    # -- before the blocks are lowered

    def _plan_unknown(self) -> None:
        """Plan for variables that may have a value before the function begins, which is not known here."""
        # These are variables that the function around a piece has assigned, and that the piece does not read.
        if self._flow.begins_piece(begin := min(self._lower.blocks)):
            code = self._lower.func_ir.func_id.code
            around = bytecode.bound_around(code, self._flow.instructions, begin - pruning.LABELS)
            for variable in self._variables:
                if variable.name in around or variable.name not in code.co_varnames:
                    self._variables.may_be_unknown(variable, never_known=False, at_first=True)
        before_it: frozenset[str] = getattr(getattr(self._lower, "kernel", None), "assigned_before", frozenset())
        for variable in self._variables:
            if variable.name in before_it:
                self._variables.may_be_unknown(variable, never_known=False, at_first=True)

    # -- while the blocks are lowered

    def begin_block(self, block: Any) -> None:
        self._at.begin_block(block, self._loop_of)

    def end_block(self) -> None:
        if self._at.label is not None:
            self._blocks.ends[self._at.label] = self._builder.basic_block
            if self._flow.begins_piece(self._at.label):
                # otherwise LLVM lets the function begin there
                self._builder.basic_block.terminator.metadata.pop("dbg", None)
        self._at.label = None

    def begin_statement(self, inst: Any) -> None:
        self._at.statement = inst
        arguments = self._arguments
        if not arguments.has_begun and arguments.is_giving(inst, self._plan.markers.at_statement):
            arguments.unsettled.append(inst)
        elif not arguments.has_begun:
            arguments.has_begun = True
            self._begin()
        self._debug.filename = inst.loc.filename
        self._debug.column = dibuilder.OTHER
        if self._at.label in self._loop_of:
            if self._flow.is_users(inst) and self._plan.twice:
                self._debug.begin_plain_statement()
            elif self._flow.is_users(inst):
                self._debug.begin_loop_statement()
        else:
            for line in self._plan.markers.at_statement.get(id(inst), ()):
                self._mark(self._builder, line)
            if self._at.label is not None and inst is self._flow.blocks[self._at.label].terminator:
                self._mark_end(self._at.label)
        if arguments.has_begun and arguments.unsettled:
            arguments.settle(inst.loc.line, self._settles)

    def _begin(self) -> None:
        """Begin the function: LLVM takes the first instruction that has a line for the end of the prologue, which must
        not be before the arguments."""
        with debuginfo.suspend_emission(self._builder):
            boundary(self._builder)
        label = self._at.label
        reports_accesses = self.level == levels.STEPS and recording.tells(self._lower)
        if reports_accesses or label is not None and self._flow.begins_piece(label):  # the first code has no marker
            before = self._builder.debug_metadata
            self._builder.debug_metadata = self._debug.location(self._lower.defn_loc.line, dibuilder.OTHER)
            assembly(self._builder, "", "")
            self._builder.debug_metadata = before
        for each in self._arguments.assignments if reports_accesses else ():
            recording.report_argument(self._lower, each)

    def _mark_end(self, label: int) -> None:
        if (line_after := self._plan.markers.at_end.get(label)) is not None:
            self._mark(self._builder, line_after)

    def end_statement(self, inst: Any) -> None:
        self._at.end_statement(inst, is_held=self._at.label in self._loop_of)
        self._debug.filename = None

    def assigned_by(self, inst: Any) -> dict[str, str]:
        """Return the versions that the statement assigns, by their names in the source."""
        return {self._flow.names.base(name) or name: name for name in self._flow.assigned_by(inst)}

    def begin_fused(self, header: int) -> None:
        """Begin a parallel loop that was made of several; called after begin_statement()."""
        self._fused.begin(header)

    def end_parallel(self, assigned: dict[str, str]) -> None:
        """End a parallel loop that assigns these; called instead of end_statement()."""
        self.starts_loops = True
        self._fused.end(self._builder, self._plan.marked)
        self._at.end_parallel(assigned)
        self._debug.filename = None

    def stored(self, value: llvm_ir.Value, name: str) -> None:
        """Store a version of a variable that has got its value."""
        if self._flow.is_copy(self._at.statement):
            return
        self._begin_call(name)
        base = self._flow.names.base(name)
        if base is None:
            return
        variable = self._variables.of(base, name, self._at.statement.loc.line if self._at.statement else 0)
        builder = self._builder
        if self._at.statement is not None and self._flow.is_cleared(self._at.statement):
            self._variables.set_state(builder, variable, UNASSIGNED)
            return
        if self._at.statement is not None and self._flow.is_item(self._at.statement) and self._at.label is not None:
            self._blocks.items[self._at.label] = name, value
            return
        is_argument = self._at.statement is not None and isinstance(self._at.statement.value, ir.Arg)
        with debuginfo.suspend_emission(builder) if is_argument else contextlib.nullcontext():
            self._variables.store_shadow(builder, variable, value)
            if self._at.label in self._loop_of:
                return
            for line in self._plan.markers.at_store.get(id(self._at.statement), ()):
                self._mark(builder, line)
            self._variables.store(builder, variable, name, value, known=base in self._at.assigned)
            self._fused.assign(builder, variable, self._at.statement.loc.line if self._at.statement else 0)
        self._holders.drop(base)

    def _begin_call(self, name: str) -> None:
        """Begin a call of an inlined function, with its first argument: no other variable of it has a value yet."""
        for inner in self._flow.names.begun_by(name):
            begun = self._variables.get(inner)
            if begun is None or begun.is_never_known:
                continue
            if self._at.label not in self._loop_of:
                self._variables.set_state(self._builder, begun, UNASSIGNED)
            elif begun.shadow_word is not None:
                self._builder.store(INT64(UNASSIGNED), begun.shadow_word)

    def raised(self, builder: llvm_ir.IRBuilder, exception: llvm_ir.Value, status: llvm_ir.Value) -> None:
        """Mark that the statement raises here. `status`: that of the call that has raised, or else 0."""
        if self._at.statement is None or builder.debug_metadata is None:
            return
        line = self._at.statement.loc.line
        places = self._debug.location(line, dibuilder.RAISE), self._debug.location(line, dibuilder.OTHER)
        with self._showing(builder):
            raising_marker(builder, places, f"raise {builder.function.name} {line}", exception, status)

    @contextlib.contextmanager
    def _showing(self, builder: llvm_ir.IRBuilder) -> Iterator[None]:
        """Show the variables of an innermost loop without slots within the `with` block."""
        shown = list(self._known_in_loop()) if builder is self._builder and self._at.statement is not None else []
        for variable, name in shown:
            self._variables.show(builder, variable, name, self._lower.loadvar(name))
        yield
        for variable, _ in shown:
            self._variables.show_state(builder, variable, UNKNOWN)

    def copy_variables(self, builder: llvm_ir.IRBuilder) -> None:
        """Have libjitscope.so copy the area, in which all variables are shown that are known."""
        with self._showing(builder):
            self._area.copy(builder)

    def kept_values(self) -> tuple[kept_values.Kept, ...]:
        """Return how a copy of the area is read: the variables of the function itself, without those of functions that
        Numba has inlined, and none of a generator's."""
        if self._is_object_mode or self._lower.generator_info:
            return ()
        code = self._lower.func_ir.func_id.code
        names = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}.difference(self._flow.names.inner.names)
        own = (each for each in self._variables if each.name in names)
        return kept_values.of(own, self._lower.context.get_value_type)

    @property
    def has_traps(self) -> bool:
        return bool(self._traps.kinds) and self.level == levels.STEPS

    def traps(self, statement: Any = None) -> ElementTraps | None:
        """Return the checks of the statement, or else of the one that is being lowered; None: it has none."""
        inst = statement or self._at.statement
        if not self.has_traps or inst is None or self._at.label in self._loop_of:
            return None
        return self._traps if own_code.is_written(inst.loc.filename) else None

    def _known_in_loop(self) -> Iterator[tuple[Variable, str]]:
        """Yield the variables of an innermost loop without slots, each with a version that holds its value now."""
        loop = self._loop_of.get(self._at.label) if self._at.label is not None else None
        if loop is None or self._blocks.items.get(self._at.label or 0):
            return
        names, line = self._flow.names, self._at.statement.loc.line
        for base in sorted(loop.assigned & self._at.assigned - self._values.lost):
            is_inner = base in names.inner.names
            versions = names.in_call(base, line, self._at.holding) if is_inner else self._at.holding.get(base)
            variable = self._variables.get(base)
            if variable is not None and versions:
                yield variable, min(versions)

    def hold(self, name: str) -> None:
        """Keep the memory that a version refers to, before the version is deleted."""
        base = self._flow.names.base(name)
        if base is None or self._at.label in self._loop_of or name not in self._at.current.get(base, ()):
            return
        if name in self._arguments.passed:  # the caller has a reference, too
            return
        if self._is_object_mode:  # the interpreter's objects are released where they would be without the hook
            if (variable := self._variables.get(base)) is not None:
                variable.is_sometimes_unknown = True
                self._variables.set_state(self._builder, variable, UNKNOWN)
            return
        kind = self._lower.typeof(name)
        if self._holders.holds(kind):
            self._lower._alloca_var(name, kind)
            self._holders.take(base, kind, self._lower.getvar(name))

    def suspend(self, kept: Iterable[str]) -> None:
        """Suspend a generator. `kept`: versions that Numba keeps."""
        if self._room is not None:
            names = {self._flow.names.base(name) for name in kept}
            self._room.keep(each for each in self._variables if not each.is_given and each.name not in names)

    def resume(self) -> None:
        """Restore a generator's variables as it resumes in a new frame; those that cannot be restored become
        unknown."""
        restored = self._room.restore() if self._room is not None else []
        with debuginfo.suspend_emission(self._builder):  # with a line, LLDB would stop here, at the line of the `yield`
            for variable in self._variables:
                if variable.is_given:
                    continue
                variable.is_sometimes_unknown = True
                if variable not in restored:
                    self._variables.set_state(self._builder, variable, UNKNOWN)

    def _mark(self, builder: llvm_ir.IRBuilder, line: int) -> None:
        """Append the marker of a line before its first instruction, and make the variables unknown that Numba has
        removed from the line."""
        before, file = builder.debug_metadata, self._debug.filename
        self._debug.filename = None
        if self.level == levels.EXACT:  # loops and inlined code with lines of their own begin after the stores
            with debuginfo.suspend_emission(builder):
                boundary(builder)
        self._hidden.hide(builder, line, self._at.assigned)
        self._debug.begin_marker(builder, line, dibuilder.ENTRY if line in self._plan.loop_lines else dibuilder.MARKER)
        before_it = self._debug.location(self._lower.defn_loc.line, dibuilder.OTHER)
        marker(builder, before_it, apart=not self._flow.has_own_labels)
        builder.debug_metadata = self._debug.location(line, dibuilder.OTHER)
        for name in sorted(self._plan.removed.get(line, ())):
            if variable := self._variables.get(name):
                self._variables.set_state(builder, variable, UNKNOWN)
        self._fused.arrive(builder, line)
        builder.debug_metadata, self._debug.filename = before, file

    # -- after the blocks are lowered

    def finish(self) -> None:
        second = {loop.header: self._write_plainly(loop) for loop in self._plan.twice.values()}
        shown = Shown(self._flow, self._variables, self._values, self._plan.markers, self._loop_of)
        edges = Edges(self._lower, shown, self._mark, self._without_stops)
        edges.write(self._blocks, second, self._plan.loops)
        self._holders.finish()
        kept = LinesKept(self._lower, self.level, self._flow.has_lines, self._without_stops)
        kept.drop_lines(self.llvm_function)
        fills: dict[str, int] = getattr(getattr(self._lower, "kernel", None), "fills", {})
        self._variables.declare(self._debug, self._lower.defn_loc.line, fills)
        self._area.finish()
        if not self._flow.has_lines:
            kept.move_first_row(self._area.base)
        if self.level == levels.STEPS and not self._is_object_mode and not self._lower.generator_info:
            recording.report_accesses(self._lower, self._without_stops)

    def _write_plainly(self, loop: Loop) -> Writing:
        """Write the loop's blocks once more, without slots and markers."""
        lower, stepped = self._lower, self._blocks
        names = {label: f"B{label}.plain" for label in sorted(loop.blocks)}
        first = {label: self._builder.function.append_basic_block(name) for label, name in names.items()}
        written = self._blocks = Writing(loop, first)
        self._loop_of = dict.fromkeys(loop.blocks, loop)
        kept = {label: lower.blkmap[label] for label in first}
        lower.blkmap.update(first)
        before = len(self.llvm_function.blocks)
        self._builder.position_at_end(first[loop.header])
        self._debug.begin_block(self._builder, lower.defn_loc.line)
        for label, block in first.items():
            self._builder.position_at_end(block)
            lower.lower_block(lower.blocks[label])
        lower.blkmap.update(kept)
        self._blocks, self._loop_of, self._debug.block = stepped, {}, None
        blocks = [*first.values(), *self.llvm_function.blocks[before:]]
        self._without_stops.update(blocks)
        plain.redirect(lower.library, blocks)
        return written

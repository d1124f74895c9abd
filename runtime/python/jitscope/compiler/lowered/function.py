"""One function that is being lowered: where its variables' slots are written, and where its markers stand.

At `steps` each assignment is followed by a volatile store, and each line begins with a marker. At `exact` innermost
loops are left alone: a variable assigned in one is unknown there, and has its value again behind the loop where the
program still needs it. At `steps` such a loop is written twice, and which of the two runs is decided on the way in:
the one that is left alone where no debugger is there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from llvmlite import ir as llvm_ir
from numba.core import config, debuginfo, ir, pylowering

from jitscope.compiler.base import levels, recording
from jitscope.compiler.base.emit import INT64, assembly, boundary, marker, raising_marker, settled
from jitscope.compiler.base.holders import Holders
from jitscope.compiler.debuginfo import dibuilder
from jitscope.compiler.flow.flow import Flow, Loop
from jitscope.compiler.linked import plain, raising
from jitscope.compiler.lowered.lines_kept import LinesKept
from jitscope.compiler.lowered.plan import Plan
from jitscope.compiler.numba_ir import frames
from jitscope.compiler.parallel.kernels import inlined
from jitscope.compiler.slots.area import ASSIGNED, UNASSIGNED, UNKNOWN, Area
from jitscope.compiler.slots.edges import Edges, Shown, Writing
from jitscope.compiler.slots.loop_values import LoopValues
from jitscope.compiler.slots.variables import Variable, Variables
from jitscope.compiler.slots.waiting import Room


def _is_argument(inst: Any) -> bool:
    return isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Arg)


class Function:
    def __init__(self, lower: Any, level: str) -> None:
        self._lower = lower
        self.level = level
        self._builder: llvm_ir.IRBuilder = lower.builder
        self._debug = lower.debuginfo
        self._is_object_mode = isinstance(lower, pylowering.PyLower)
        self._flow = Flow(lower.func_ir, lower.blocks, getattr(lower, "kernel", None), inlined)
        self._area = Area(lower.builder)
        self._holders = Holders(lower)
        # Without LLVM's work there is nothing to lose.
        is_fast = config.OPT != 0 and not self._is_object_mode
        self._plan = Plan(lower, self._flow, level, is_fast)
        self.has_try = self._plan.has_try
        self._loop_of = self._plan.loop_of  # what is being written without slots and markers
        self._variables = Variables(lower, self._flow, self._area)
        self._inner = [each for name in self._flow.names.inner.names if (each := self._variables.get(name))]
        for variable in self._inner:
            variable.is_sometimes_unknown = True  # its function may be called again
        self._values = LoopValues(self._flow, self._variables, self._plan.loop_plan(self._inner))
        self._plan_hiding()
        self._plan_unknown()
        self._plan_arguments()
        self._settles = is_fast and level != levels.STEPS
        self._begin_writing()
        if not self._is_object_mode:
            self._give()

    # -- before

    def _plan_unknown(self) -> None:
        """Variables that may have a value before the function begins, which is not known here."""
        if self._flow.begins_piece(
            min(self._lower.blocks)
        ):  # what the function around it has assigned, and it does not read
            for variable in self._variables:
                self._variables.may_be_unknown(variable, never_known=False, at_first=True)
        before_it: frozenset[str] = getattr(getattr(self._lower, "kernel", None), "assigned_before", frozenset())
        for variable in self._variables:
            if variable.name in before_it:
                self._variables.may_be_unknown(variable, never_known=False, at_first=True)

    def _plan_arguments(self) -> None:
        entry = self._lower.blocks[min(self._lower.blocks)].body
        last = max((n for n, inst in enumerate(entry) if _is_argument(inst)), default=-1)
        self._arguments = [inst for inst in entry if _is_argument(inst)]
        self._giving = {id(inst) for inst in entry[: last + 1]}
        self._given = set() if self._lower.generator_info else self._flow.given()

    def _begin_writing(self) -> None:
        """The state of the writing, as nothing is written yet."""
        lower = self._lower
        self._labels = {id(block): label for label, block in lower.blocks.items()}
        self._blocks = Writing(first=lower.blkmap)
        self._plain: dict[int, Writing] = {}  # by the header, second writings
        self._without_stops: set[llvm_ir.Block] = set()  # all blocks of theirs
        self._label: int | None = None
        self._assigned: set[str] = set()
        self._current: dict[str, frozenset[str]] = {}
        self._holding: dict[str, frozenset[str]] = {}  # in loops without slots
        self._statement: Any = None
        self._header: int | None = None  # of a fused parallel loop that is being lowered: its line
        self._early: dict[Variable, int] = {}  # what it has assigned, and the line where the source does
        self._awaited: dict[int, list[Variable]] = {}  # by line, what a fused loop has assigned ahead of it
        self._has_begun = False
        self._unsettled: list[Any] = []  # statements that have given arguments
        self.starts_loops = False  # parallel ones
        self.llvm_function = self._builder.function
        if not self._is_object_mode:
            raising.watch(self.llvm_function, self)
        self._room: Room | None = None
        self._waiting: list[Variable] = []
        if lower.generator_info and not self._is_object_mode:
            self._room = Room(lower, self._area)
            frames.remember(lower)

    def _plan_hiding(self) -> None:
        self._hidden_kept: list[Variable] = []
        self._hidden = self._flow.hidden()
        marked = {name for line in self._plan.marked for name in self._hidden.get(line, ())}
        found = {name: variable for name in marked if (variable := self._variables.get(name)) is not None}
        self._hidden_anywhere = {name for name, variable in found.items() if not variable.is_sometimes_unknown}
        for name, variable in found.items():
            is_kept = variable.is_sometimes_unknown and not variable.is_never_known and not self._lower.generator_info
            if is_kept:
                self._variables.keep_word(variable)
                self._hidden_kept.append(variable)
            else:  # what a generator does not know elsewhere stays so from there on
                self._variables.may_be_unknown(variable, never_known=name not in self._hidden_anywhere)

    def _give(self) -> None:
        """Arguments that are there all the time: a generator's, as long as it lives, and those that nothing reads."""
        lower, given = self._lower, self._flow.given() - self._flow.changed()
        for name, kind, value in zip(lower.func_ir.arg_names, lower.fndesc.argtypes, lower.fnargs):
            variable = self._variables.get(self._flow.names.unchanged.get(name, name))
            if variable is None:
                continue
            is_kept = lower.generator_info and name in given and kind == lower.typeof(name)
            if is_kept or variable in self._variables.unread:
                if value is not None:  # not omitted
                    with debuginfo.suspend_emission(self._builder):
                        self._variables.give(self._builder, variable, value)
                if not variable.is_given:
                    self._variables.lose(variable)
        with debuginfo.suspend_emission(self._builder):
            self._variables.give_constants(self._builder)
        for number, variable in self._variables.overwritten.items():
            with debuginfo.suspend_emission(self._builder):
                kind, value = lower.fndesc.argtypes[number], lower.fnargs[number]
                if not self._variables.begin_with(self._builder, variable, kind, value):
                    self._variables.lose(variable)

    # -- while the blocks are lowered

    def begin_block(self, block: Any) -> None:
        label = self._label = self._labels.get(id(block))
        if label is None:
            return
        self._assigned = set(self._flow.definite_at(label))
        self._current = dict(self._flow.current_at(label))
        self._holding = dict(self._flow.holding_at(label)) if label in self._loop_of else {}

    def end_block(self) -> None:
        if self._label is not None:
            self._blocks.ends[self._label] = self._builder.basic_block
            if self._flow.begins_piece(self._label):
                self._builder.basic_block.terminator.metadata.pop("dbg", None)  # else LLVM begins the function there
        self._label = None

    def begin_statement(self, inst: Any) -> None:
        self._statement = inst
        if not self._has_begun and self._gives(inst):
            self._unsettled.append(inst)
        elif not self._has_begun:
            # LLVM takes the first instruction that has a line for the end of the prologue: not before the arguments.
            self._has_begun = True
            with debuginfo.suspend_emission(self._builder):
                boundary(self._builder)
            is_told = self.level == levels.STEPS and recording.tells(self._lower)
            if is_told or self._label is not None and self._flow.begins_piece(self._label):  # no marker comes first
                before = self._builder.debug_metadata
                self._builder.debug_metadata = self._debug.location(self._lower.defn_loc.line, dibuilder.OTHER)
                assembly(self._builder, "", "")
                self._builder.debug_metadata = before
            if is_told:
                for each in self._arguments:
                    recording.tell_argument(self._lower, each)
        self._debug.filename = inst.loc.filename
        self._debug.column = dibuilder.OTHER
        if self._label in self._loop_of:
            if self._flow.is_users(inst) and self._plan.twice:
                self._debug.begin_plain_statement()
            elif self._flow.is_users(inst):
                self._debug.begin_loop_statement()
        else:
            for line in self._plan.markers.at_statement.get(id(inst), ()):
                self._mark(self._builder, line)
            if self._label is not None and inst is self._flow.blocks[self._label].terminator:
                self._mark_end(self._label)
        if self._has_begun and self._unsettled:
            self._settle()

    def _settle(self) -> None:
        """What is computed of arguments at `exact` begins behind the first marker. LLVM would schedule it before they
        are stored, and what was put in line has lines to stop at."""
        found: dict[str, llvm_ir.Value] = {}
        builder, lower = self._builder, self._lower
        before = builder.debug_metadata
        builder.debug_metadata = self._debug.location(max(self._statement.loc.line, 1), dibuilder.OTHER)
        for inst in self._unsettled if self._settles else ():
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
        self._unsettled.clear()

    def _gives(self, inst: Any) -> bool:
        """Does it stand between the arguments' assignments, or copy one of them?"""
        return id(inst) in self._giving and id(inst) not in self._plan.markers.at_statement or self._flow.is_copy(inst)

    def _mark_end(self, label: int) -> None:
        if (line_behind := self._plan.markers.at_end.get(label)) is not None:
            self._mark(self._builder, line_behind)

    def end_statement(self, inst: Any) -> None:
        is_sure = not self._flow.is_item(inst) and not self._flow.is_cleared(inst)
        for name in self._flow.assigned_by(inst) if is_sure else ():
            self._assigned.add(self._flow.names.base(name) or name)
        self._flow.advance(inst, self._current)
        if self._label in self._loop_of:
            self._flow.advance(inst, self._holding)
        self._statement = None
        self._debug.filename = None

    def assigned_by(self, inst: Any) -> dict[str, str]:
        """Versions by their names in the source."""
        return {self._flow.names.base(name) or name: name for name in self._flow.assigned_by(inst)}

    def begin_fused(self, header: int) -> None:
        """Behind begin_statement, of a parallel loop that was made of several. What it assigns from that line on has no
        value yet while it runs: whoever looks from a worker to its caller is at the first of the loops."""
        self._header = header

    def end_parallel(self, assigned: dict[str, str]) -> None:
        """Instead of end_statement, for a parallel loop that assigns these."""
        self.starts_loops = True
        self._header = None
        for variable, line in self._early.items():
            if line in self._plan.marked:
                self._awaited.setdefault(line, []).append(variable)
            else:
                self._variables.set_state(self._builder, variable, ASSIGNED)
        self._early.clear()
        for base, name in assigned.items():
            self._assigned.add(base)
            for versions in (self._current, self._holding):
                versions[base] = frozenset((name,))
        self._statement = None
        self._debug.filename = None

    def stored(self, value: llvm_ir.Value, name: str) -> None:
        """A version of a variable has got its value."""
        if self._flow.is_copy(self._statement):
            return
        self._begin_call(name)
        base = self._flow.names.base(name)
        if base is None:
            return
        variable = self._variables.of(base, name, self._statement.loc.line if self._statement else 0)
        builder = self._builder
        if self._statement is not None and self._flow.is_cleared(self._statement):
            self._variables.set_state(builder, variable, UNASSIGNED)
            return
        if self._statement is not None and self._flow.is_item(self._statement) and self._label is not None:
            self._blocks.items[self._label] = name, value
            return
        is_argument = self._statement is not None and isinstance(self._statement.value, ir.Arg)
        with debuginfo.suspend_emission(builder) if is_argument else contextlib.nullcontext():
            self._variables.store_shadow(builder, variable, value)
            if self._label in self._loop_of:
                return
            for line in self._plan.markers.at_store.get(id(self._statement), ()):
                self._mark(builder, line)
            self._variables.store(builder, variable, name, value, known=base in self._assigned)
            if self._header is not None and self._statement and self._statement.loc.line >= self._header:
                self._hide_early(variable)
        self._holders.drop(base)

    def _hide_early(self, variable: Variable) -> None:
        if variable.word is not None and not variable.is_never_known:
            self._variables.set_state(self._builder, variable, UNKNOWN)
            self._early[variable] = self._statement.loc.line

    def _begin_call(self, name: str) -> None:
        """With a function's first argument: of a function that was put in line nothing else has a value yet."""
        for inner in self._flow.names.begun_by(name):
            begun = self._variables.get(inner)
            if begun is None or begun.is_never_known:
                continue
            if self._label not in self._loop_of:
                self._variables.set_state(self._builder, begun, UNASSIGNED)
            elif begun.shadow_word is not None:
                self._builder.store(INT64(UNASSIGNED), begun.shadow_word)

    def raised(self, builder: llvm_ir.IRBuilder, exception: llvm_ir.Value, status: llvm_ir.Value) -> None:
        """The statement raises here; status: of the call that has raised, else 0."""
        if self._statement is None or builder.debug_metadata is None:
            return
        line = self._statement.loc.line
        places = self._debug.location(line, dibuilder.RAISE), self._debug.location(line, dibuilder.OTHER)
        shown = list(self._known_in_loop()) if builder is self._builder else []
        for variable, name in shown:
            self._variables.show(builder, variable, name, self._lower.loadvar(name))
        raising_marker(builder, places, f"raise {builder.function.name} {line}", exception, status)
        for variable, _ in shown:
            self._variables.show_state(builder, variable, UNKNOWN)

    def _known_in_loop(self) -> Iterator[tuple[Variable, str]]:
        """In an innermost loop without slots: its variables, each with a version that holds its value now."""
        loop = self._loop_of.get(self._label) if self._label is not None else None
        if loop is None or self._blocks.items.get(self._label or 0):
            return
        names, line = self._flow.names, self._statement.loc.line
        for base in sorted(loop.assigned & self._assigned - self._values.lost):
            is_inner = base in names.inner.names
            versions = names.in_call(base, line, self._holding) if is_inner else self._holding.get(base)
            variable = self._variables.get(base)
            if variable is not None and versions:
                yield variable, min(versions)

    def hold(self, name: str) -> None:
        """Before a version is deleted: what it refers to stays."""
        base = self._flow.names.base(name)
        if base is None or self._label in self._loop_of or name not in self._current.get(base, ()):
            return
        if name in self._given:  # the caller has a reference, too
            return
        if self._is_object_mode:  # the interpreter's objects go when they would without the hook
            if (variable := self._variables.get(base)) is not None:
                variable.is_sometimes_unknown = True
                self._variables.set_state(self._builder, variable, UNKNOWN)
            return
        kind = self._lower.typeof(name)
        if self._holders.holds(kind):
            self._lower._alloca_var(name, kind)
            self._holders.take(base, kind, self._lower.getvar(name))

    def suspend(self, kept: Iterable[str]) -> None:
        """A generator waits. kept: versions that Numba keeps."""
        if self._room is not None:
            names = {self._flow.names.base(name) for name in kept}
            self._waiting = [each for each in self._variables if not each.is_given and each.name not in names]
            self._room.keep(self._waiting)

    def resume(self) -> None:
        """A generator goes on in a new frame: what is not restored is unknown."""
        restored = self._room.restore(self._waiting) if self._room is not None else []
        with debuginfo.suspend_emission(self._builder):  # LLDB would stop here, at the line of the `yield`
            for variable in self._variables:
                if variable.is_given:
                    continue
                variable.is_sometimes_unknown = True
                if variable not in restored:
                    self._variables.set_state(self._builder, variable, UNKNOWN)

    def _hide(self, builder: llvm_ir.IRBuilder, line: int) -> None:
        """On the lines of a function that was put in line, a name that is its own is not shown as this function's."""
        builder.debug_metadata = None  # LLDB would stop here, ahead of the marker
        for inner in self._inner if line not in self._flow.names.inner.lines else ():
            if not inner.is_never_known:
                self._variables.set_state(builder, inner, UNASSIGNED)
        for kept in self._hidden_kept:
            if kept.name in self._hidden.get(line, ()):
                self._variables.show_state(builder, kept, UNKNOWN)
            else:
                self._variables.show_kept(builder, kept)
        for name in sorted(self._hidden_anywhere):
            variable = self._variables.get(name)
            if variable is not None and name in self._hidden.get(line, ()):
                self._variables.set_state(builder, variable, UNKNOWN)
            elif variable is not None and name in self._assigned and not variable.is_never_known:
                self._variables.set_state(builder, variable, ASSIGNED)

    def _mark(self, builder: llvm_ir.IRBuilder, line: int) -> None:
        before, file = builder.debug_metadata, self._debug.filename
        self._debug.filename = None
        if self.level == levels.EXACT:  # what has lines of its own, in loops and in line, begins behind what is stored
            with debuginfo.suspend_emission(builder):
                boundary(builder)
        self._hide(builder, line)
        self._debug.begin_marker(builder, line, dibuilder.ENTRY if line in self._plan.loop_lines else dibuilder.MARKER)
        before_it = self._debug.location(self._lower.defn_loc.line, dibuilder.OTHER)
        marker(builder, before_it, apart=not self._flow.has_own_labels)
        builder.debug_metadata = self._debug.location(line, dibuilder.OTHER)
        for name in sorted(self._plan.removed.get(line, ())):
            if variable := self._variables.get(name):
                self._variables.set_state(builder, variable, UNKNOWN)
        for variable in self._awaited.get(line, ()):
            self._variables.set_state(builder, variable, ASSIGNED)
        builder.debug_metadata, self._debug.filename = before, file

    # -- after

    def finish(self) -> None:
        for loop in self._plan.twice.values():
            self._plain[loop.header] = self._write_plainly(loop)
        shown = Shown(self._flow, self._variables, self._values, self._plan.markers, self._loop_of)
        edges = Edges(self._lower, shown, self._mark, self._without_stops)
        edges.write(self._blocks, self._plain, self._plan.loops)
        self._holders.finish()
        kept = LinesKept(self._lower, self.level, self._flow.has_lines, self._without_stops)
        kept.drop_others(self.llvm_function)
        fills: dict[str, int] = getattr(getattr(self._lower, "kernel", None), "fills", {})
        self._variables.declare(self._debug, self._lower.defn_loc.line, fills)
        self._area.finish()
        if not self._flow.has_lines:
            kept.begin_elsewhere(self._area.base)
        if self.level == levels.STEPS and not self._is_object_mode and not self._lower.generator_info:
            recording.tell_accesses(self._lower, self._without_stops)

    def _write_plainly(self, loop: Loop) -> Writing:
        """The loop's blocks once more, without slots and markers."""
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

"""The beginnings of the user's lines in Numba's IR: a line begins where the line changes, and after a jump back, as the
interpreter's trace events have it (PEP 626)."""

from __future__ import annotations

import dataclasses
import itertools
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from numba.core import ir
from numba.core.unsafe import eh

from jitscope.compiler.flow.flow import Edge, Flow
from jitscope.compiler.numba_ir import bytecode, closures, inserted
from jitscope.compiler.numba_ir.pruning import LABELS
from jitscope.compiler.parallel.joining import MOVED
from jitscope.compiler.parallel.parfor_loops import fused

# such as "$8load_global.1" or "$binop_add8.3", which was made at offset 8
TEMPORARY = re.compile(r"\$(?!phi)[a-z_]*(\d+)[a-z_.]")

_NAMED_LATE = ("$push_global_to_block", "$push_getattr_to_block")


def _is_phi(inst: Any) -> bool:
    """True if the statement passes a value of the interpreter's stack on to the next block."""
    return isinstance(inst, ir.Assign) and inst.target.name.startswith("$phi")


def _is_version(inst: Any) -> bool:
    """True if SSA passes on a value that an inlined call has returned; its line is the one where its name was made."""
    if not isinstance(inst, ir.Assign) or not isinstance(inst.value, ir.Var) or inst.target.name.startswith("$"):
        return False
    return str(inst.target.name).partition(".")[0] == str(inst.value.name).partition(".")[0]


Calls = tuple[tuple[Any, int], ...]  # the outermost first: the function, and the line that it is on


@dataclasses.dataclass
class Markers:
    """The user's lines: by the id of the statement at which they begin, or whose value is assigned on them; by the
    block at whose end (before its jump) they begin; and by edge."""

    at_statement: dict[int, list[int]] = dataclasses.field(default_factory=dict)
    at_store: dict[int, list[int]] = dataclasses.field(default_factory=dict)
    at_end: dict[int, int] = dataclasses.field(default_factory=dict)
    at_edge: dict[Edge, int] = dataclasses.field(default_factory=dict)

    def lines(self) -> set[int]:
        beginning = (*self.at_statement.values(), *self.at_store.values())
        found = {line for lines in beginning for line in lines}
        return found.union(self.at_end.values(), self.at_edge.values())


Store = tuple[int, str, int]  # line, name, place


@dataclasses.dataclass
class _Store:
    """The assignment of a statement's value on another line than the statement's: `x = (` with the value after it."""

    of: Any


class Lines:
    def __init__(self, flow: Flow, removed: Mapping[int, set[str]]) -> None:
        """Find the lines. `removed`: as from Flow.removed()."""
        self._flow = flow
        self._removed = removed
        self._cfg = flow.cfg
        self._checks = self._exception_checks()
        self._owner = flow.owners()
        self._offsets_of: dict[int, list[int]] = {}
        for line, instruction in flow.instructions:
            self._offsets_of.setdefault(line, []).append(instruction.offset)
        self._silent = bytecode.silent(flow.instructions) if flow.has_own_labels else frozenset()
        self._loopless = self._array_lines() if flow.has_array_loops else set()
        self._moved_before = self._moved()
        self._found = {label: self._statements(label) for label in flow.blocks}
        self._origins = self._find_origins() if flow.has_own_labels else flow.origins()
        self._drop_lineless()
        self._add_idle()
        self._drop_jumps_back()
        self._ends = {label: found[-1][1] if found else None for label, found in self._found.items()}
        self._ends.update(  # the line that the function around a piece has begun already
            {label: self._flow.blocks[label].loc.line for label in self._found if self._flow.begins_piece(label)}
        )
        self._pass_through()
        self._calls: dict[int, Calls] = {}  # the calls at the end of each block
        self._follow_calls()

    @property
    def has_try(self) -> bool:
        return bool(self._checks)

    def of(self, labels: Iterable[int]) -> set[int]:
        """Return the user's lines that have a statement in these blocks."""
        return {line for label in labels for _, line in self._found[label]}

    def markers(self) -> Markers:
        out = Markers()
        for label, found in self._found.items():
            calls = self._calls_after(self._calls_before(label), found[:1])
            for inst, line in found[1:]:
                goes_on = self._goes_on(calls, inst, line)
                calls = self._calls_after(calls, [(inst, line)])
                if not goes_on:
                    place = out.at_store if isinstance(inst, _Store) else out.at_statement
                    place.setdefault(id(inst.of if isinstance(inst, _Store) else inst), []).append(line)
            if found:
                self._begin(out, label, *found[0])
        return out

    def _begin(self, out: Markers, label: int, first: Any, line: int) -> None:
        edges = [(source, label) for source, _ in self._cfg.predecessors(label)]
        is_again = line not in self._loopless
        begins = [
            edge
            for edge in edges
            if (is_again and edge[0] >= label) or not self._goes_on(self._calls[edge[0]], first, line)
        ]
        if len(begins) == len(edges):
            out.at_statement.setdefault(id(first), []).insert(0, line)
            return
        for source, _ in begins:
            if len(list(self._cfg.successors(source))) == 1:
                out.at_end[source] = line
            else:
                out.at_edge[source, label] = line

    def _array_lines(self) -> set[int]:
        """Return a kernel's lines that no loop of the source is on. A loop there is an array expression's, for which
        the interpreter does not begin again."""
        header = {line for line, _ in self._flow.instructions[:1]}
        return {line for line, _ in self._flow.instructions} - header - bytecode.looping(self._flow.instructions)

    # -- inlined functions, as calls: the line that gets their result has begun before

    def _goes_on(self, calls: Calls, inst: Any, line: int) -> bool:
        return (self._owner_at(calls, inst, line), line) in calls

    def _owner_at(self, calls: Calls, inst: Any, line: int) -> Any:
        found = self._owner.get(line) or closures.owner(inst)
        is_passing = found is None and not isinstance(inst, ir.Assign) and calls and calls[-1][1] == line
        return calls[-1][0] if is_passing else found

    def _calls_after(self, calls: Calls, found: list[tuple[Any, int]]) -> Calls:
        for inst, line in found:
            owner = self._owner_at(calls, inst, line)
            owners = [each for each, _ in calls]
            calls = (*calls[: owners.index(owner) if owner in owners else None], (owner, line))
        return calls

    def _calls_before(self, label: int) -> Calls:
        before = [self._calls[source] for source, _ in self._cfg.predecessors(label) if source in self._calls]
        common = zip(*before)
        return tuple(
            calls[0] if len(set(calls)) == 1 else (calls[0][0], 0)
            for calls in itertools.takewhile(lambda calls: len({owner for owner, _ in calls}) == 1, common)
        )

    def _follow_calls(self) -> None:
        for label in self._cfg.topo_order():
            end = self._ends[label]
            self._calls[label] = self._calls_after(self._calls_before(label), self._found[label])
            if not self._found[label] and end is not None:
                self._calls[label] = self._calls_after(self._calls[label], [(None, end)])

    # -- the statements of the user's lines

    def _statements(self, label: int) -> list[tuple[Any, int]]:
        found: list[tuple[Any, int]] = []
        if self._flow.begins_piece(label):
            return found
        begun: range | None = None  # lines that count as run when one of them has
        for inst in self._flow.blocks[label].body:
            if isinstance(inst, ir.Del) or self._flow.is_copy(inst) or self._is_check(inst) or _is_version(inst):
                continue
            if begun and inst.loc.line in begun or inserted.begins_no_line(inst):
                continue
            begun = self._run_together(inst) or begun
            if isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Arg):
                continue
            if isinstance(inst, (ir.Assign, ir.PopBlock)) and id(inst) in self._moved_before:
                continue
            if self._flow.is_users(inst) and inst.loc.line not in self._silent:
                found.append((inst, inst.loc.line))
                found += [(_Store(inst), line) for line in self._flow.stored_on(inst)]
        return found

    def _run_together(self, inst: Any) -> range | None:
        """Return the lines of a parallel loop that was made of several, up to the last one that changes a user's
        variable, or None."""
        lines = [
            each.loc.line
            for each in fused(inst)
            if isinstance(each, (ir.Assign, ir.SetItem)) and self._flow.names.base(each.target.name)
        ]
        return range(inst.loc.line, max(lines) + 1) if lines else None

    def _moved(self) -> set[int]:
        """Return the ids of constants of later lines that the pass which makes parallel kernels has moved before a
        kernel, and in a kernel of those that it may have moved: the line begins at another statement."""
        found: set[int] = set()
        for block in self._flow.blocks.values():
            if not self._flow.has_own_labels:  # a loop in a parallel loop has no other statement left
                found.update(id(inst) for inst in block.body if getattr(inst, MOVED, False))
            for position, inst in enumerate(block.body):
                if type(inst).__name__ == "Parfor":
                    own = [inst, *(each for body in inst.loop_body.values() for each in body.body)]
                    line = max(each.loc.line for each in own if each.loc.filename == inst.loc.filename)
                    found.update(id(before) for before in block.body[:position] if before.loc.line > line)
        return found

    def _exception_checks(self) -> set[str]:
        """Return the temporaries of the checks that Numba adds for `try` after each of the user's statements; a check
        may have any line."""
        found: set[str] = set()
        for label in sorted(self._flow.blocks):
            for inst in self._flow.blocks[label].body:
                if not isinstance(inst, ir.Assign):
                    continue
                value = inst.value
                is_function = (
                    isinstance(value, ir.Global) and getattr(eh, value.name.partition(".")[0], 0) is value.value
                )
                if is_function or isinstance(value, ir.Expr) and value.op == "call" and value.func.name in found:
                    found.add(inst.target.name)
        return found

    def _is_check(self, inst: Any) -> bool:
        if isinstance(inst, ir.Assign):
            return inst.target.name in self._checks
        return isinstance(inst, ir.Branch) and inst.cond.name in self._checks

    def _add_idle(self) -> None:
        """Add lines that have only instructions left that do nothing, load a value for the next lines, or assign
        variables that Numba has removed: `try:`, `while True:`, `pass`, `match x:`, the arguments of a call that is
        written on several lines."""
        is_renamed = any(
            label != origin for label, origin in self._origins.items()
        )  # renamed blocks have also been merged
        labels = sorted(self._origins, key=self._origins.__getitem__)
        stores = self._stores()
        offsets = {label: self._offsets(label, stores) for label in labels}
        idle = bytecode.idle(self._flow.instructions, self._removed, is_renamed, self._names_late())
        for line, first, last, following in idle if labels else ():
            ahead = [label for label in reversed(labels) if self._origins[label] <= first + LABELS] or labels[:1]
            label = ahead[0] if self._leads_to(ahead[0], following) else self._merged(ahead, following, offsets)
            if label is None or line in self._removed and self._has_loop_of_several(label):
                continue
            places = offsets[label]
            if not any(first + LABELS <= place <= last + LABELS for place in places):
                position = sum(place < first + LABELS for place in places)
                self._insert(label, line, position)
                places.insert(position, first + LABELS)

    def _names_late(self) -> bool:
        """True if the pass that makes parallel kernels has put a statement that names a function directly before its
        call."""
        return any(
            isinstance(inst, ir.Assign) and inst.target.name.startswith(_NAMED_LATE)
            for block in self._flow.blocks.values()
            for inst in block.body
        )

    def _has_loop_of_several(self, label: int) -> bool:
        """True if the block has a parallel loop that may be made of several: lines of the source between those may come
        before it or after it."""
        return any(type(inst).__name__ == "Parfor" for inst in self._flow.blocks[label].body)

    def _only_jumps(self, label: int) -> bool:
        return all(isinstance(inst, ir.Jump) for inst, _ in self._found[label])

    def _drop_lineless(self) -> None:
        """Drop statements without a line, because Numba gives them the line before."""
        for label, found in self._found.items():
            origin = self._origins.get(label, label if self._flow.has_own_labels else 0)
            if origin - LABELS in self._flow.lineless and self._only_jumps(label):
                found.clear()

    def _leads_to(self, label: int, following: list[bytecode.Lined]) -> bool:
        """True if the block goes on with one of these instructions. False if another function has been made of it
        (lifted loops)."""
        targets = [self._origins.get(target) for target, _ in self._cfg.successors(label)]
        lines = {line for _, line in self._found[label]}
        return any(instruction.offset + LABELS in targets or line in lines for line, instruction in following)

    def _merged(self, labels: list[int], following: list[bytecode.Lined], offsets: dict[int, list[int]]) -> int | None:
        """Return the block in `labels` that has been merged with the block where one of `following` begins. The line at
        its end does not show that, since an earlier test of the same loop has the same line."""
        starts = {(line, instruction.offset + LABELS) for line, instruction in following}
        for label in labels:
            found = zip(self._found[label], offsets[label])
            if any(line == at and start <= place < sys.maxsize for (_, line), place in found for at, start in starts):
                return label
        return None

    def _find_origins(self) -> dict[int, int]:
        """Return the offsets in the bytecode where blocks begin, as far as they are known."""
        if self._has_offsets():
            return {label: label for label in self._flow.blocks.keys() - self._joins()}
        found = self._flow.origins()
        stores = self._stores()
        for label, statements in self._found.items() if found else ():
            if label not in found and (place := self._first_place(statements, stores)):
                found[label] = place
        return found

    def _first_place(self, statements: list[tuple[Any, int]], stores: list[Store]) -> int | None:
        """Return the bytecode offset of the first statement that has one, except the last statements of an inlined
        function."""
        for inst, line in statements:
            if closures.owner(inst) is None and line not in self._owner:
                place = self._place(inst, line, stores, 0)
                if place is not None:
                    return place if place != sys.maxsize else None
        return None

    def _stores(self) -> list[Store]:
        return [(line, name, offset + LABELS) for line, name, offset in bytecode.stores_at(self._flow.instructions)]

    def _has_offsets(self) -> bool:
        """True if blocks are labelled by offsets in the bytecode. False if a pass has given them other labels, or those
        of other blocks; a block that joins several jumps back has a label of its own."""
        return all(label == origin for label, origin in self._flow.origins().items()) and all(
            isinstance(inst, (ir.Jump, ir.Del)) or self._flow.is_copy(inst) or _is_phi(inst)
            for label in self._joins()
            for inst in self._flow.blocks[label].body
        )

    def _joins(self) -> set[int]:
        """Return the labels that are no offsets."""
        last = max((instruction.offset for _, instruction in self._flow.instructions), default=0) + LABELS
        return {label for label in self._flow.blocks if label % 2 or label > last}

    def _offsets(self, label: int, stores: list[Store]) -> list[int]:
        """Return the bytecode offsets of the block's statements that belong to the user's lines, in ascending order."""
        found, current = [], self._origins[label]
        for inst, line in self._found[label]:
            place = self._place(inst, line, stores, current)
            if place is None:
                on_line = (at + LABELS for at in self._offsets_of.get(line, ()) if at + LABELS >= current)
                place = next(on_line, current)
            current = max(current, place)
            found.append(current)
        return found

    def _place(self, inst: Any, line: int, stores: list[Store], current: int) -> int | None:
        """Return the offset of the statement's instruction, after `current`; None if the statement does not show it."""
        if isinstance(inst, (ir.Jump, ir.Branch, ir.Return)):
            return sys.maxsize
        if not isinstance(inst, (ir.Assign, _Store)):
            return None
        target = inst.of.target if isinstance(inst, _Store) else inst.target
        if isinstance(inst, ir.Assign) and (temporary := TEMPORARY.match(self._without_copied(inst))):
            return int(temporary[1])
        name = self._flow.names.base(target.name)
        found = next((at for on, stored, at in stores if (on, stored) == (line, name) and at >= current), None)
        if found is not None or isinstance(inst, _Store):
            return found
        # `x = (` with the value after it: the value's last instruction makes it
        others = set(self._flow.stored_on(inst))
        behind = next((at for on, stored, at in stores if on in others and stored == name and at >= current), 0)
        places = (at + LABELS for at in self._offsets_of.get(line, ()))
        return max((at for at in places if current <= at < behind), default=None)

    def _without_copied(self, inst: Any) -> str:
        """Return the target's name, "$338.0" for `$s1338.0 = s1`, so that its digits are the place alone."""
        name: str = inst.target.name
        copied = self._flow.names.base(inst.value.name) if isinstance(inst.value, ir.Var) else None
        return f"${name[len(copied) + 1 :]}" if copied and name.startswith(f"${copied}") else name

    def _insert(self, label: int, line: int, position: int) -> None:
        found = self._found[label]
        inst = found[position][0] if position < len(found) else self._flow.blocks[label].terminator
        found.insert(position, (inst, line))

    def _drop_jumps_back(self) -> None:
        """Drop a jump back that Numba has made for several of the source: it has the line of its target, and none of
        its own."""
        for label, found in self._found.items():
            if not found or not isinstance(found[-1][0], ir.Jump):
                continue
            target, line = found[-1][0].target, found[-1][1]
            alone = len(found) == 1 or found[-2][1] != line
            if alone and target <= label and self._found[target] and self._found[target][0][1] == line:
                found.pop()

    def _pass_through(self) -> None:
        """Pass lines on: a block without a line of its own ends in the line in which it was entered, if that is one
        line."""
        for label in self._cfg.topo_order():
            if self._ends[label] is None:
                before = {self._ends[source] for source, _ in self._cfg.predecessors(label)}
                if len(before) == 1:
                    self._ends[label] = before.pop()

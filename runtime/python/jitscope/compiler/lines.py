"""Where the user's lines begin in Numba's IR: when the line changes, and after a jump back, as the interpreter tells
its tracing (PEP 626)."""

from __future__ import annotations

import dataclasses
from typing import Any

from numba.core import bytecode as numba_bytecode
from numba.core import ir
from numba.core.unsafe import eh

from jitscope.compiler.flow import Edge, Flow

# numba/core/bytecode.py: the label of a block is its bytecode's offset and this
_LABELS = getattr(numba_bytecode, "_FIXED_OFFSET", 0)


@dataclasses.dataclass
class Markers:
    """Lines by the id of the statement that they begin at, by the block at whose end (before its jump) they do, and by
    edge."""

    at_statement: dict[int, list[int]] = dataclasses.field(default_factory=dict)
    at_end: dict[int, int] = dataclasses.field(default_factory=dict)
    at_edge: dict[Edge, int] = dataclasses.field(default_factory=dict)

    def lines(self) -> set[int]:
        found = {line for lines in self.at_statement.values() for line in lines}
        return found.union(self.at_end.values(), self.at_edge.values())


class Lines:
    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._cfg = flow.cfg
        self._checks = self._exception_checks()
        self._moved_before = self._moved()
        self._found = {label: self._statements(label) for label in flow.blocks}
        self._drop_lineless()
        self._add_idle()
        self._drop_jumps_back()
        self._ends = {label: found[-1][1] if found else None for label, found in self._found.items()}
        self._pass_through()

    @property
    def has_try(self) -> bool:
        return bool(self._checks)

    def markers(self) -> Markers:
        out = Markers()
        for label, found in self._found.items():
            for (_, before), (inst, line) in zip(found, found[1:]):
                if line != before:
                    out.at_statement.setdefault(id(inst), []).append(line)
            if found:
                self._begin(out, label, *found[0])
        return out

    def _begin(self, out: Markers, label: int, first: Any, line: int) -> None:
        edges = [(source, label) for source, _ in self._cfg.predecessors(label)]
        begins = [edge for edge in edges if self._ends[edge[0]] != line or edge[0] >= label]
        if len(begins) == len(edges):
            out.at_statement.setdefault(id(first), []).insert(0, line)
            return
        for source, _ in begins:
            if len(list(self._cfg.successors(source))) == 1:
                out.at_end[source] = line
            else:
                out.at_edge[source, label] = line

    # -- which statements stand for the user's

    def _statements(self, label: int) -> list[tuple[Any, int]]:
        found = []
        for inst in self._flow.blocks[label].body:
            if isinstance(inst, ir.Del) or self._flow.is_copy(inst) or self._is_check(inst):
                continue
            if isinstance(inst, ir.Assign) and (isinstance(inst.value, ir.Arg) or id(inst) in self._moved_before):
                continue
            if self._flow.is_users(inst):
                found.append((inst, inst.loc.line))
        return found

    def _moved(self) -> set[int]:
        """Ids of constants of later lines that the pass which makes parallel kernels has moved before a kernel."""
        found: set[int] = set()
        for block in self._flow.blocks.values():
            for position, inst in enumerate(block.body):
                if type(inst).__name__ == "Parfor":
                    own = [inst, *(each for body in inst.loop_body.values() for each in body.body)]
                    line = max(each.loc.line for each in own if each.loc.filename == inst.loc.filename)
                    found.update(id(before) for before in block.body[:position] if before.loc.line > line)
        return found

    def _exception_checks(self) -> set[str]:
        """Temporaries of what Numba does for `try` behind each of the user's statements, on whatever line."""
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
        """Lines of which only an instruction that does nothing is left: `try:`, `while True:`, `pass`."""
        labels = [label for label in sorted(self._flow.blocks) if not self._is_added(label)]
        last = max((instruction.offset for _, instruction in self._flow.instructions), default=0) + _LABELS
        if not self._flow.has_own_labels or any(
            label % 2 or label > last for label in labels
        ):  # a pass has given the blocks other labels
            return
        before: tuple[int, int] | None = None
        for line, instruction in self._flow.instructions:
            label = max((label for label in labels if label <= instruction.offset + _LABELS), default=labels[0])
            if instruction.opname == "NOP" and line > 0:
                self._insert(label, line, before[1] if before is not None and before[0] == label else None)
            before = label, line

    def _only_jumps(self, label: int) -> bool:
        return all(isinstance(inst, ir.Jump) for inst, _ in self._found[label])

    def _is_added(self, label: int) -> bool:
        """Where several jumps go back to a loop's header, Numba adds a block that only jumps there; its label is the
        largest and one."""
        return self._only_jumps(label) and (
            label % 2 == 1 or (label - 1 in self._flow.blocks and self._is_added(label - 1))
        )

    def _drop_lineless(self) -> None:
        """Numba takes the line before for what has none."""
        for label, found in self._found.items():
            if label - _LABELS in self._flow.lineless and self._only_jumps(label):
                found.clear()

    def _insert(self, label: int, line: int, behind: int | None) -> None:
        found = self._found[label]
        position = 0
        for index, (_, other) in enumerate(found):
            if other == behind:
                position = index + 1
            elif position:
                break
        inst = found[position][0] if position < len(found) else self._flow.blocks[label].terminator
        found.insert(position, (inst, line))

    def _drop_jumps_back(self) -> None:
        """A jump back that Numba has made for several of the source has the line of its target, none of its own."""
        for label, found in self._found.items():
            if not found or not isinstance(found[-1][0], ir.Jump):
                continue
            target, line = found[-1][0].target, found[-1][1]
            alone = len(found) == 1 or found[-2][1] != line
            if alone and target <= label and self._found[target] and self._found[target][0][1] == line:
                found.pop()

    def _pass_through(self) -> None:
        """Blocks without a line of their own end in the line that they were entered in, where that is one."""
        for label in self._cfg.topo_order():
            if self._ends[label] is None:
                before = {self._ends[source] for source, _ in self._cfg.predecessors(label)}
                if len(before) == 1:
                    self._ends[label] = before.pop()

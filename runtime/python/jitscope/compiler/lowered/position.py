"""The lowering's position in a function, and the facts at that place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jitscope.compiler.flow.flow import Flow

Versions = dict[str, frozenset[str]]  # a variable's name → versions; one of them has its value


class Position:
    """The position and the variables' versions there.

    `label`: the block's; None if it is not one of the IR's. `statement`: None between two. `assigned`: the user's
    variables that have a value on every path here. `current`: their versions. `holding`: in a loop without slots, the
    versions that have the values now."""

    def __init__(self, flow: Flow, blocks: Mapping[int, Any]) -> None:
        self._flow = flow
        self._labels = {id(block): label for label, block in blocks.items()}
        self.label: int | None = None
        self.statement: Any = None
        self.assigned: set[str] = set()
        self.current: Versions = {}
        self.holding: Versions = {}

    def begin_block(self, block: Any, without_slots: Mapping[int, Any]) -> None:
        """Move to the block. `without_slots`: labels of the loops' blocks that have no slots."""
        label = self.label = self._labels.get(id(block))
        if label is None:
            return
        self.assigned = set(self._flow.definite_at(label))
        self.current = dict(self._flow.current_at(label))
        self.holding = dict(self._flow.holding_at(label)) if label in without_slots else {}

    def end_statement(self, inst: Any, is_held: bool) -> None:
        """Move past the statement. `is_held`: it is in a loop without slots."""
        is_sure = not self._flow.is_item(inst) and not self._flow.is_cleared(inst)
        for name in self._flow.assigned_by(inst) if is_sure else ():
            self.assigned.add(self._flow.names.base(name) or name)
        self._flow.advance(inst, self.current)
        if is_held:
            self._flow.advance(inst, self.holding)
        self.statement = None

    def end_parallel(self, assigned: Mapping[str, str]) -> None:
        """Like end_statement(), for a parallel loop. `assigned`: a variable's name → its version."""
        for base, name in assigned.items():
            self.assigned.add(base)
            for versions in (self.current, self.holding):
                versions[base] = frozenset((name,))
        self.statement = None

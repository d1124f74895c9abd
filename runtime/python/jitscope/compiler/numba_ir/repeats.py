"""Assignments that give a variable the value that it has: SSA's copies from version to version, if a pass has
propagated the value (`s.2 = $s.5`, where `s.1 = $s.5` was the source's)."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from numba.core import analysis, ir

# by the user's name: the source of the value, the line, and the version
_Held = dict[str, frozenset[tuple[str, int, str]]]


def of(blocks: dict[int, Any], cfg: Any, names: Any, is_copy: Callable[[Any], bool]) -> set[int]:
    """Return the ids of such assignments: they have been made already, on every path, and neither side has changed
    since; they are on the same line, or assign a version that several blocks assign, which is SSA's alone. The source's
    own assignment then stays known."""
    targets = [inst.target.name for block in blocks.values() for inst in block.body if isinstance(inst, ir.Assign)]
    joining = {name for name, count in collections.Counter(targets).items() if count > 1}
    entry: dict[int, _Held] = {cfg.entry_point(): {}}
    found: set[int] = set()
    order = list(cfg.topo_order())
    changed = True
    while changed:
        changed, found = False, set()
        for label in order:
            after = dict(entry[label])
            for inst in blocks[label].body:
                if _advance(inst, after, names, is_copy, joining):
                    found.add(id(inst))
            for target, _ in cfg.successors(label):
                merged = _both(entry[target], after) if target in entry else after
                if entry.get(target) != merged:
                    entry[target], changed = merged, True
    return found


def _both(one: _Held, other: _Held) -> _Held:
    return {base: held & other[base] for base, held in one.items() if base in other}


def _forget(held: _Held, source: str) -> None:
    for base, pairs in held.items():
        held[base] = frozenset(each for each in pairs if each[0] != source)


def _advance(inst: Any, held: _Held, names: Any, is_copy: Callable[[Any], bool], joining: set[str]) -> bool:
    """Change `held` to the values after the statement. Return whether the statement is a repetition."""
    if not isinstance(inst, ir.Assign):
        if type(inst) in analysis.ir_extension_usedefs:
            _, defined = analysis.ir_extension_usedefs[type(inst)](inst)
            for name in defined.union(getattr(inst, "redvars", None) or ()):
                held.pop(names.base(name), None)
                _forget(held, name)
        return False
    target = inst.target.name
    base = names.base(target)
    source = inst.value.name if isinstance(inst.value, ir.Var) else None
    own = held.get(base, frozenset()) if base else frozenset()
    for value, line, version in own:
        if source == value and (line == inst.loc.line or target in joining) and names.are_one(version, target):
            return True
    _forget(held, target)
    if base and not is_copy(inst):
        held[base] = frozenset(((source, inst.loc.line, target),) if source else ())
    return False

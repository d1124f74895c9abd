"""Assignments that give a variable what it has: SSA's copies from version to version, of which a pass has propagated
the value (`s.2 = $s.5`, where `s.1 = $s.5` was the source's)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import analysis, ir

_Held = dict[str, frozenset[tuple[str, int, str]]]  # by the user's name: from what, on which line, as which version


def of(blocks: dict[int, Any], cfg: Any, names: Any, is_copy: Callable[[Any], bool]) -> set[int]:
    """Their ids. Those that the same line has made already, on every path, with neither changed since: of the source's
    own there is then no trace to lose."""
    entry: dict[int, _Held] = {cfg.entry_point(): {}}
    found: set[int] = set()
    order = list(cfg.topo_order())
    changed = True
    while changed:
        changed, found = False, set()
        for label in order:
            after = dict(entry[label])
            for inst in blocks[label].body:
                if _advance(inst, after, names, is_copy):
                    found.add(id(inst))
            for target, _ in cfg.successors(label):
                merged = _both(entry[target], after) if target in entry else after
                if entry.get(target) != merged:
                    entry[target], changed = merged, True
    return found


def _both(one: _Held, other: _Held) -> _Held:
    return {base: held & other[base] for base, held in one.items() if base in other}


def _advance(inst: Any, held: _Held, names: Any, is_copy: Callable[[Any], bool]) -> bool:
    """Changes what is held to what is behind the statement. Is it a repetition?"""
    if not isinstance(inst, ir.Assign):
        if type(inst) in analysis.ir_extension_usedefs:
            held.clear()
        return False
    target = inst.target.name
    base = names.base(target)
    source = inst.value.name if isinstance(inst.value, ir.Var) else None
    own = held.get(base, frozenset()) if base else frozenset()
    if any((source, inst.loc.line) == each[:2] and names.are_one(each[2], target) for each in own):
        return True
    for other, pairs in held.items():
        held[other] = frozenset(each for each in pairs if each[0] != target)
    if base and not is_copy(inst):
        held[base] = frozenset(((source, inst.loc.line, target),) if source else ())
    return False

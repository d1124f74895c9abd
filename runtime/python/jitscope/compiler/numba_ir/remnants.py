"""Statements that Numba's passes would remove as dead. At `steps` the user's assignments stay. Other statements (at
`exact` in parallel loops, all statements) are replaced by one that does nothing, so that the line stops as often as it
is executed, and its variable is not shown with its old value.

This module wraps numba.core.ir_utils.remove_dead_block (0.57-0.68), which parallel=True and inlined closures use, and
numba.core.inline_closurecall.RewriteArrayOfConsts.match, which takes lists of a block for parts of arrays. A statement
that is hoisted out of a parallel loop leaves its line in the same way (kernels.py)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from types import CodeType
from typing import Any

from numba.core import inline_closurecall, ir, ir_utils
from numba.parfors import parfor

from jitscope.compiler.base import levels
from jitscope.compiler.numba_ir import bytecode, closures, flags, harmless


def check() -> str | None:
    """Return why this Numba's removal of dead code cannot be wrapped, or None."""
    for owner, name in (
        (ir_utils, "remove_dead_block"),
        (ir, "PopBlock"),
        (getattr(inline_closurecall, "RewriteArrayOfConsts", None), "match"),
    ):
        if not hasattr(owner, name):
            return f"{getattr(owner, '__name__', owner)} has no {name}"
    return None


_REMOVED = "_jitscope_removed"  # attribute of a function's identity, which its passes share: lines of removed stores
_INDEX = "parfor_"  # a part of the name of a parallel loop's index: numba/parfors/parfor.py


class Remnant(ir.PopBlock):  # type: ignore[misc]
    """A statement that does nothing: all of Numba's passes keep a PopBlock, and lowering emits no code for it."""


def is_at_steps(func_ir: Any, kernel: Any) -> bool:
    """True if the function that is being compiled is at `steps`. `kernel`: kernels.of() its IR."""
    level = kernel.choice.level if kernel is not None else levels.level_of(func_ir.func_id.func)
    return level == levels.STEPS and levels.is_followed(func_ir.func_id.func)


def _versions(code: CodeType) -> Callable[[str], str | None]:
    """Return a function that maps a name in the IR to the source's, or to None."""
    names = frozenset(bytecode.variables(code))
    return lambda name: base if (base := name.partition(".")[0]) in names else None


def _names(func_ir: Any, kernel: Any) -> Callable[[str], str | None]:
    found: Callable[[str], str | None] = kernel.user_name if kernel is not None else _versions(func_ir.func_id.code)
    return found


def _does(statement: Any, base: Callable[[str], str | None]) -> bool:
    """True if the source has the statement."""
    if not isinstance(statement, ir.Assign):
        return not isinstance(statement, ir.Del)
    if closures.passes(statement):
        return True
    name, value = base(statement.target.name), statement.value
    if name is None or not isinstance(value, ir.Var):
        return name is not None
    return base(value.name) != name and _INDEX not in value.name  # the header assigns the index


def _keeps_line(statement: Any) -> bool:
    """True if the statement stays where it is and so keeps its line. Constants are moved out of parallel loops."""
    if isinstance(statement, ir.Assign) and statement.target.name.startswith("$"):
        return not isinstance(statement.value, ir.Const)
    return not isinstance(statement, (ir.Del, ir.Jump))


def _line(statement: Any) -> tuple[int, CodeType | None]:
    """Return the statement's line, with the code of its inlined function: a lambda's body is not part of the line
    around it."""
    return statement.loc.line, closures.owner(statement)


def leave(before: list[Any], block: Any, file: str, base: Callable[[str], str | None]) -> None:
    """Put remnants into a block from which statements have been removed. `before`: all statements; `base`: see
    _versions()."""
    kept = {id(statement) for statement in block.body}
    known = {_line(each) for each in block.body if _keeps_line(each)}
    body: list[Any] = []
    for statement in before:
        loc = statement.loc
        if id(statement) in kept:
            body.append(statement)
        elif loc.filename == file and _line(statement) not in known and _does(statement, base):
            known.add(_line(statement))
            body.append(Remnant(loc))
    if kept <= {id(statement) for statement in body}:
        block.body = body


class _Lives(set[str]):
    """The names that are live, with some that stay live, and some that are while those are that they `needed`."""

    def __init__(self, names: Iterable[str], kept: frozenset[str], needed: Mapping[str, harmless.Needs]) -> None:
        super().__init__(kept.union(names))
        self._kept = kept
        self._needed = needed

    def __contains__(self, name: object) -> bool:
        needed = self._needed.get(name) if isinstance(name, str) else None
        return super().__contains__(name) or needed is not None and (needed.computed <= self or needed.read <= self)

    def remove(self, name: str) -> None:
        if name not in self._kept:
            super().remove(name)

    def __isub__(self, names: Set[object]) -> _Lives:
        return super().__isub__(names - self._kept)


def _assignments(blocks: Iterable[Any]) -> Iterator[Any]:
    for block in blocks:
        for inst in block.body:
            if isinstance(inst, ir.Assign):
                yield inst
            elif isinstance(inst, parfor.Parfor):
                yield from _assignments((inst.init_block, *inst.loop_body.values()))


def _values(func_ir: Any) -> Iterator[str]:
    """Yield the names in the IR that are assigned, except those of functions, which are gone if they have been
    inlined."""
    found = list(_assignments(func_ir.blocks.values()))
    functions = {each.target.name for each in found if getattr(each.value, "op", "") == "make_function"}
    while more := {
        each.target.name
        for each in found
        if isinstance(each.value, ir.Var) and each.value.name in functions and each.target.name not in functions
    }:
        functions |= more
    return (each.target.name for each in found if each.target.name not in functions)


def _note_removed(func_ir: Any, before: list[Any], block: Any) -> None:
    """Note the stores to an item of a value that Numba takes for dead: Numba does not know that a jitclass or a
    container may keep the value, so that the store can be missed."""
    kept = {id(statement) for statement in block.body}
    lines = {
        each.loc.line
        for each in before
        if isinstance(each, ir.SetItem) and id(each) not in kept and each.loc.filename == func_ir.loc.filename
    }
    if lines:
        setattr(func_ir.func_id, _REMOVED, removed_stores(func_ir) | lines)


def removed_stores(func_ir: Any) -> frozenset[int]:
    """Return the lines of the stores to elements and items that Numba has removed from the function."""
    found: frozenset[int] = getattr(func_ir.func_id, _REMOVED, frozenset())
    return found


def _names_list(block: Any, base: Callable[[str], str | None]) -> bool:
    """True if a name of the source is bound to a list that the block makes."""
    lists: set[str] = set()
    for inst in block.body:
        if isinstance(inst, ir.Assign):
            is_list = isinstance(inst.value, ir.Expr) and inst.value.op == "build_list"
            if is_list or isinstance(inst.value, ir.Var) and inst.value.name in lists:
                lists.add(inst.target.name)
    return any(map(base, lists))


def install(kernel_of: Callable[[Any], Any]) -> None:
    """Wrap Numba's removal of dead code, once for each process. `kernel_of`: kernels.of."""
    remove = ir_utils.remove_dead_block
    match = inline_closurecall.RewriteArrayOfConsts.match

    @functools.wraps(remove)
    def remove_dead_block(block: Any, lives: set[str], *arguments: Any, **named: Any) -> Any:
        func_ir = named["func_ir"] if "func_ir" in named else arguments[4]
        kernel = kernel_of(func_ir)
        is_stepped = is_at_steps(func_ir, kernel)
        is_outside = any(each is block for each in func_ir.blocks.values())  # outside of parallel loops
        before = list(block.body)
        if not levels.is_followed(func_ir.func_id.func):
            return remove(block, lives, *arguments, **named)
        if is_outside and not is_stepped:
            removed = remove(block, lives, *arguments, **named)
            _note_removed(func_ir, before, block)
            return removed
        file, base = (kernel.header if kernel is not None else func_ir.loc).filename, _names(func_ir, kernel)
        if is_stepped:
            # A loop's own index is left out, because it is the user's before it is known whether there is an iteration.
            users = frozenset(name for name in _values(func_ir) if base(name) == name.partition(".")[0])
            needed: dict[str, harmless.Needs] = {}
            if flags.is_unasked(func_ir.func_id.func):  # others may raise, which nobody asked for
                typemap = named["typemap"] if "typemap" in named else arguments[5]
                found = harmless.needs(_assignments(func_ir.blocks.values()), typemap)
                needed = {name: found[name] for name in users if name in found}
                users = frozenset(name for name, others in needed.items() if not others.computed)
            lives = _Lives(lives, users, needed)
        removed = remove(block, lives, *arguments, **named)
        _note_removed(func_ir, before, block)
        if len(block.body) < len(before):
            leave(before, block, file, base)
        return removed

    @functools.wraps(match)
    def match_others(self: Any, func_ir: Any, block: Any, *rest: Any) -> Any:
        kernel = kernel_of(func_ir)
        if is_at_steps(func_ir, kernel) and _names_list(block, _names(func_ir, kernel)):
            return False
        return match(self, func_ir, block, *rest)

    ir_utils.remove_dead_block = remove_dead_block
    inline_closurecall.RewriteArrayOfConsts.match = match_others

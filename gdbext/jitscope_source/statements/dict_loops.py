"""Loops over a dict that add or remove keys of it: Numba's loop ends then without an error.

Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Iterator, List, NamedTuple, Optional, Set

from .. import syntax

_CHANGES = frozenset(("pop", "popitem", "clear", "setdefault", "update"))
_VIEWS = ("keys", "values", "items")
_LEAVES = (ast.Break, ast.Return, ast.Raise)


class Change(NamedTuple):
    """A statement in a loop over the dict `name` that may add or remove keys of it."""

    name: str
    loop: int  # line of the loop's header
    line: int


def changes(function: ast.AST) -> List[Change]:
    """Return the first such statement of each loop of the function."""
    loops = (node for node in syntax.all_nodes(function) if isinstance(node, ast.For))
    found = (_of_loop(loop) for loop in loops)
    return sorted((each for each in found if each is not None), key=lambda each: each.loop)


def _of_loop(loop: ast.For) -> Optional[Change]:
    name = _looped(loop.iter)
    if not name:
        return None
    nodes = list(syntax.own_nodes(loop.body))
    if any(isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) for node in nodes):
        return None  # the name means another dict then
    lines = sorted(line for line in _changed(loop.body, name, _keys(loop)))
    return Change(name, loop.lineno, lines[0]) if lines else None


def _looped(node: ast.expr) -> str:
    """Return the name of what the loop goes over as a dict; "": it is none."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        node = node.func.value if node.func.attr in _VIEWS else node
    return node.id if isinstance(node, ast.Name) else ""


def _keys(loop: ast.For) -> Set[str]:
    """Return the names that hold the loop's key; an item of that key is there already."""
    view = loop.iter.func.attr if isinstance(loop.iter, ast.Call) and isinstance(loop.iter.func, ast.Attribute) else ""
    target = loop.target
    if view == "items":
        target = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
    return {target.id} if isinstance(target, ast.Name) and view != "values" else set()


def _changed(body: List[ast.stmt], name: str, keys: Set[str]) -> Iterator[int]:
    """Yield the lines of statements that change the dict, after which the loop may go on."""
    leaves = bool(body) and isinstance(body[-1], _LEAVES)
    for statement in body:
        inner = [getattr(statement, part, []) for part in ("body", "orelse", "finalbody")]
        for part in inner:
            if isinstance(part, list) and not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                yield from _changed(part, name, keys)
        if not leaves and not any(inner) and _is_change(statement, name, keys):
            yield statement.lineno


def _is_change(statement: ast.stmt, name: str, keys: Set[str]) -> bool:
    if isinstance(statement, ast.Delete):
        return any(_is_item(target, name, set()) for target in statement.targets)
    if isinstance(statement, ast.Assign) and any(_is_item(target, name, keys) for target in statement.targets):
        return True
    calls = (node.func for node in ast.walk(statement) if isinstance(node, ast.Call))
    return any(
        isinstance(each, ast.Attribute)
        and each.attr in _CHANGES
        and isinstance(each.value, ast.Name)
        and each.value.id == name
        for each in calls
    )


def _is_item(target: ast.expr, name: str, keys: Set[str]) -> bool:
    """True for an item of the dict whose key is none of the loop's."""
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name) or target.value.id != name:
        return False
    key = getattr(target.slice, "value", target.slice) if type(target.slice).__name__ == "Index" else target.slice
    return not (isinstance(key, ast.Name) and key.id in keys)

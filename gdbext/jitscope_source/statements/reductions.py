"""The reduction variables of a parallel loop: each worker adds up its own part, and the loop's end puts them together.

Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import FrozenSet, Iterator, Optional

from .. import files, syntax


def names(path: str, header: int, newer_than: Optional[float]) -> FrozenSet[str]:
    """Return the reduction variables of the `for` in this line. A variable that an iteration also assigns without its
    earlier value is left out, as it may be the iteration's own (numba/parfors/parfor.py, get_parfor_reductions())."""
    tree = files.tree_of(path, newer_than)
    functions = [node for node in syntax.all_nodes(tree) if isinstance(node, ast.FunctionDef)] if tree else []
    around = [node for node in functions if node.lineno <= header <= (node.end_lineno or 0)]
    nodes = syntax.all_nodes(max(around, key=lambda node: node.lineno)) if around else []
    loop = next((node for node in nodes if isinstance(node, ast.For) and node.lineno == header), None)
    if loop is None:
        return frozenset()
    body = [node for statement in loop.body for node in syntax.all_nodes(statement)]
    updated = {name for node in body for name in _updated(node)}
    stores = {id(node) for node in body for node in _stores(node)}
    kept = {id(target) for node in body for target in _targets(node)}
    others = {node.id for node in body if isinstance(node, ast.Name) and id(node) in stores - kept}
    before = {node.arg for node in nodes if isinstance(node, ast.arg)}
    before |= {node.id for node in nodes for node in _stores(node) if node.lineno < header}
    return frozenset((updated - others) & before)


def _stores(node: ast.AST) -> Iterator[ast.Name]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node


def _targets(node: ast.AST) -> Iterator[ast.Name]:
    """Yield the name that a statement updates by its earlier value: x += 1, x = max(x, 1)."""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target
    elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        target = node.targets[0]
        if any(isinstance(each, ast.Name) and each.id == target.id for each in syntax.all_nodes(node.value)):
            yield target


def _updated(node: ast.AST) -> Iterator[str]:
    yield from (target.id for target in _targets(node))

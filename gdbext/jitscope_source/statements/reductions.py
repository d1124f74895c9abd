"""The reduction variables of a parallel loop: each worker adds up its own part, and the loop's end puts them together.

Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Dict, FrozenSet, Iterator, List, Optional, Tuple

from .. import files, syntax


def names(path: str, header: int, newer_than: Optional[float]) -> FrozenSet[str]:
    """Return the reduction variables of the `for` in this line. A variable that an iteration also assigns without its
    earlier value is left out, as it may be the iteration's own (numba/parfors/parfor.py, get_parfor_reductions())."""
    nodes = _function(path, header, newer_than)
    body = _body(nodes, header)
    updated = {name for node in body for name in _updated(node)}
    stores = {id(node) for node in body for node in _stores(node)}
    kept = {id(target) for node in body for target in _targets(node)}
    others = {node.id for node in body if isinstance(node, ast.Name) and id(node) in stores - kept}
    before = {node.arg for node in nodes if isinstance(node, ast.arg)}
    before |= {node.id for node in nodes for node in _stores(node) if node.lineno < header}
    return frozenset((updated - others) & before)


def reads(path: str, header: int, newer_than: Optional[float]) -> List[Tuple[str, int]]:
    """Return the reduction variables of the `for` in this line that its body also reads elsewhere than to update them,
    each with the first line that does."""
    found = names(path, header, newer_than)
    body = _body(_function(path, header, newer_than), header)
    own = {id(each) for node in body for target in _targets(node) for each in _named(node, target.id)}
    first: Dict[str, int] = {}
    for node in body:
        if isinstance(node, ast.Name) and node.id in found and isinstance(node.ctx, ast.Load) and id(node) not in own:
            first[node.id] = min(node.lineno, first.get(node.id, node.lineno))
    return sorted(first.items(), key=lambda each: each[1])


def _function(path: str, header: int, newer_than: Optional[float]) -> List[ast.AST]:
    """Return the nodes of the innermost function around the line."""
    tree = files.tree_of(path, newer_than)
    functions = [node for node in syntax.all_nodes(tree) if isinstance(node, ast.FunctionDef)] if tree else []
    around = [node for node in functions if node.lineno <= header <= (node.end_lineno or 0)]
    return list(syntax.all_nodes(max(around, key=lambda node: node.lineno))) if around else []


def _body(nodes: List[ast.AST], header: int) -> List[ast.AST]:
    """Return the nodes of the body of the `for` in this line."""
    loop = next((node for node in nodes if isinstance(node, ast.For) and node.lineno == header), None)
    return [node for statement in (loop.body if loop else []) for node in syntax.all_nodes(statement)]


def _named(statement: ast.AST, name: str) -> List[ast.Name]:
    return [node for node in syntax.all_nodes(statement) if isinstance(node, ast.Name) and node.id == name]


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

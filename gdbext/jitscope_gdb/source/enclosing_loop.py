"""The loops of the source: which one is around a line?"""

from __future__ import annotations

import ast
from typing import NamedTuple, Optional, Set

from . import files

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Loop(NamedTuple):
    """first: the line of its header; last: of its body (not of an `else`)."""

    first: int
    last: int


def around(path: str, line: int, newer_than: Optional[float]) -> Optional[Loop]:
    """The innermost loop that the line is in or heads. Raises LookupError where the source can't be believed."""
    tree = files.tree_of(path, newer_than)
    if tree is None:
        raise LookupError(path)
    found: Optional[Loop] = None
    nodes = list(tree.body)
    while nodes:
        node: ast.AST = nodes.pop()
        if hasattr(node, "lineno") and not _holds(node, line):
            continue
        if isinstance(node, _SCOPES) and node.lineno != line:
            found = None  # a loop around a function is none of the function's
        if isinstance(node, _LOOPS):
            last = max(statement.end_lineno or statement.lineno for statement in node.body)
            if node.lineno <= line <= last:
                found = Loop(node.lineno, last)
        nodes.extend(ast.iter_child_nodes(node))  # type: ignore[arg-type]
    return found


def assigned_in_innermost(path: str, line: int, newer_than: Optional[float]) -> Optional[Set[str]]:
    """Names that an innermost loop of the function around the line assigns; None where the source does not tell."""
    tree = files.tree_of(path, newer_than)
    functions = [
        node for node in ast.walk(tree or ast.Module([], [])) if isinstance(node, _SCOPES) and _holds(node, line)
    ]
    if not functions:
        return None
    innermost = max(functions, key=lambda node: node.lineno)
    own = [node for node in ast.walk(innermost) if isinstance(node, _LOOPS)]
    return {
        name.id
        for loop in own
        if not any(isinstance(inner, _LOOPS) for statement in loop.body for inner in ast.walk(statement))
        for name in ast.walk(loop)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }


def _holds(node: ast.AST, line: int) -> bool:
    first, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    return first is not None and end is not None and first <= line <= end

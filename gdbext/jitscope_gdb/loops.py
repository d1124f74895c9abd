"""The loops of the source: which one is around a line?"""

from __future__ import annotations

import ast
from typing import NamedTuple, Optional

from . import source_flow

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Loop(NamedTuple):
    """first: the line of its header; last: of its body (not of an `else`)."""

    first: int
    last: int


def around(path: str, line: int, newer_than: Optional[float]) -> Optional[Loop]:
    """The innermost loop that the line is in or heads. Raises LookupError where the source can't be believed."""
    tree = source_flow.tree_of(path, newer_than)
    if tree is None:
        raise LookupError(path)
    found: Optional[Loop] = None
    nodes = list(tree.body)
    while nodes:
        node: ast.AST = nodes.pop()
        first, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        if first is not None and end is not None and not first <= line <= end:
            continue
        if isinstance(node, _SCOPES) and first != line:
            found = None  # a loop around a function is none of the function's
        if isinstance(node, _LOOPS):
            last = max(statement.end_lineno or statement.lineno for statement in node.body)
            if node.lineno <= line <= last:
                found = Loop(node.lineno, last)
        nodes.extend(ast.iter_child_nodes(node))  # type: ignore[arg-type]
    return found

"""The divisors of a statement. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import List, Optional

from .. import files

_DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
_PURE = {"abs", "bool", "float", "int", "len", "max", "min"}  # functions that divide nothing and change nothing
# What may divide, or change a divisor after it was used, or has names of its own.
_OTHERS = (ast.Pow, ast.NamedExpr, ast.Lambda, ast.comprehension, ast.Await, ast.Yield, ast.YieldFrom)


def of_line(path: str, line: int, newer_than: Optional[float] = None) -> Optional[List[str]]:
    """Return the texts of all divisors of the only simple statement on the line; None where the source is not known, or
    where other code of the statement may divide or change them."""
    nodes, text = nodes_of_line(path, line, newer_than), files.text_of(path) or ""
    if nodes is None:
        return None
    found = (_divisor(node) for node in nodes)
    divisors = [ast.get_source_segment(text, divisor) or "" for divisor in found if divisor is not None]
    return list(dict.fromkeys(divisors)) if all(divisors) else None


def nodes_of_line(path: str, line: int, newer_than: Optional[float] = None) -> Optional[List[ast.AST]]:
    """Return the nodes of the only simple statement on the line; None where the source is not known, or where a node
    calls another function, may change a variable before it is used, or has names of its own."""
    tree = files.tree_of(path, newer_than)
    if tree is None:
        return None
    simple = [node for node in ast.walk(tree) if isinstance(node, _SIMPLE)]
    found = [node for node in simple if node.lineno <= line <= _end(node)]
    if len(found) != 1 or _begins_of_others(tree, found[0]):
        return None
    nodes = list(ast.walk(found[0]))
    if any(isinstance(node, _OTHERS) or isinstance(node, ast.Call) and not _is_pure(node) for node in nodes):
        return None
    return nodes


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _begins_of_others(tree: ast.Module, own: ast.stmt) -> bool:
    """True if another statement is on one of the statement's lines."""
    lines = range(own.lineno, _end(own) + 1)
    return any(isinstance(node, ast.stmt) and node is not own and node.lineno in lines for node in ast.walk(tree))


def _is_pure(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in _PURE


def _divisor(node: ast.AST) -> Optional[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, _DIVISIONS):
        return node.right
    return node.value if isinstance(node, ast.AugAssign) and isinstance(node.op, _DIVISIONS) else None

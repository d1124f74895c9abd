"""Small questions to Python's syntax trees. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Iterable, Iterator, List, Optional

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
INNER = (*SCOPES, *COMPREHENSIONS, ast.NamedExpr)


def arguments(arguments: ast.arguments) -> List[ast.arg]:
    every = [*getattr(arguments, "posonlyargs", []), *arguments.args, *arguments.kwonlyargs]
    return every + [one for one in (arguments.vararg, arguments.kwarg) if one is not None]


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of a function but those of the scopes inside it (what such a scope binds in ours is seen)."""
    stack: List[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, COMPREHENSIONS):  # its targets are its own, assignment expressions are not
            stack.extend(n for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
        elif not isinstance(node, SCOPES):
            stack.extend(ast.iter_child_nodes(node))


def bound_names(node: ast.AST) -> List[str]:
    if isinstance(node, ast.NamedExpr):
        return [node.target.id]
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.split(".")[0] for alias in node.names]
    if isinstance(node, ast.ExceptHandler):
        return [node.name] if node.name else []
    if type(node).__name__ in ("MatchAs", "MatchStar", "MatchMapping"):
        name = getattr(node, "name", None) or getattr(node, "rest", None)
        return [name] if isinstance(name, str) else []
    return []


def first_inner_line(statement: ast.stmt) -> Optional[int]:
    if type(statement).__name__ == "Match":
        first: int = statement.cases[0].pattern.lineno  # type: ignore[attr-defined]
        return first
    body = getattr(statement, "body", None)
    if not isinstance(body, list) or not body:
        return None
    line: int = body[0].lineno
    return line


def literal(value: Optional[ast.AST]) -> Optional[str]:
    negative = False
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, (ast.USub, ast.UAdd)):
        negative = isinstance(value.op, ast.USub)
        value = value.operand
    if not isinstance(value, ast.Constant) or not isinstance(value.value, (int, float)):
        return None
    number = value.value + 0 if isinstance(value.value, int) else value.value
    if number != number or number in (float("inf"), float("-inf")) or abs(number) >= 2**63:
        return None
    return ("-" if negative else "") + repr(number)


def maker(value: Optional[ast.AST]) -> Optional[str]:
    """What makes the value, for program/numba/makers.h: "numpy.zeros", "operator"; None for anything else."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        of = value.func.value
        return f"numpy.{value.func.attr}" if isinstance(of, ast.Name) and of.id in ("np", "numpy") else None
    computes = isinstance(value, ast.BinOp) or (isinstance(value, ast.UnaryOp) and not isinstance(value.op, ast.UAdd))
    return "operator" if computes else None


def is_true(test: Optional[ast.AST]) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)

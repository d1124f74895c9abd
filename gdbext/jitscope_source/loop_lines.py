"""Lines and the loops of the source: the loop around a line, and the lines that no parallel loop can run."""

from __future__ import annotations

import ast
from typing import NamedTuple, Optional, Set

from . import files, formulas, function_lines, loop_formulas

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# The operations that Numba may turn into loops if they are on arrays.
_COMPUTES = (
    *(ast.Call, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.AugAssign, ast.Slice),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


class Loop(NamedTuple):
    """A loop. `first`: the line of its header; `last`: the last line of its body (not of an `else`)."""

    first: int
    last: int


def around(path: str, line: int, newer_than: Optional[float]) -> Optional[Loop]:
    """Return the innermost loop that the line is in or that begins there. Raise LookupError if the source cannot be
    trusted."""
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
    """Return the names that an innermost loop of the function around the line assigns; None if the source does not show
    them."""
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


def why_not_parallel(path: str, line: int, newer_than: Optional[float] = None) -> str:
    """Return why no parallel loop's body has this line; "" where one may have it."""
    tree = files.tree_of(path, newer_than)
    function = function_lines.function_of(path, line, newer_than)
    if tree is None or function is None:
        return ""
    nodes = list(ast.walk(tree))
    if function == function_lines.NONE:
        is_one_line = any(isinstance(n, _FUNCTIONS) and n.lineno == line for n in nodes)
        return "" if is_one_line else "is no statement of a function"
    ranges = formulas.parallel_ranges(tree)
    loops = [n for n in nodes if isinstance(n, ast.For) and loop_formulas.is_parallel(n.iter, (), ranges)]
    own = [loop for loop in loops if function.begin <= loop.lineno <= function.end]
    called = {n.id for loop in loops for n in ast.walk(loop) if isinstance(n, ast.Name)}
    at = [n for n in nodes if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or 0)]
    innermost = max(at, key=lambda n: n.lineno)
    may_compute = any(isinstance(n, _COMPUTES) for n in ast.walk(innermost))
    is_within = any(loop in at for loop in own)
    if not own or is_within or may_compute or function.name in called:
        return ""
    headers = ", ".join(str(loop.lineno) for loop in own)
    return f"is in no parallel loop's body; {function.name} begins parallel loops at line {headers}"

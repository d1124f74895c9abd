"""Which lines can no parallel loop run, as far as the source tells? Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Optional

from . import files, formulas, function_lines

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# What Numba may make a loop of where it is about arrays.
_COMPUTES = (
    *(ast.Call, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.AugAssign, ast.Slice),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


def why_none(path: str, line: int, newer_than: Optional[float] = None) -> str:
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
    loops = [n for n in nodes if isinstance(n, ast.For) and formulas.is_parallel(n.iter, (), ranges)]
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

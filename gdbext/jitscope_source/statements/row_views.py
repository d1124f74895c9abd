"""Variables that are rows of arrays: `x = a[i]`, `x = a[i, :]`. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any, Dict, List, Optional

from .. import files, subscripts, syntax

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def rows_for_file(path: str, line: int, newer_than: Optional[float] = None) -> Dict[str, Dict[str, Any]]:
    """Return the subscript (docs/schema/subscripts.json) of each variable that the function around the line assigns
    once, as a row of an array. Its slices take whole axes."""
    tree, text = files.tree_of(path, newer_than), files.text_of(path)
    around = [node for node in ast.walk(tree) if _holds(node, line)] if tree is not None else []
    if not around or text is None:
        return {}
    nodes = list(syntax.all_nodes(max(around, key=lambda node: node.lineno)))  # type: ignore[attr-defined]
    stores = Counter(node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))
    stores.update(node.arg for node in nodes if isinstance(node, ast.arg))
    found = {}
    for node in nodes:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Subscript):
            continue
        target = node.targets[0] if len(node.targets) == 1 else None
        if isinstance(target, ast.Name) and stores[target.id] == 1 and (row := _row(node.value, text)) is not None:
            found[target.id] = row
    return found


def within(row: Dict[str, Any], indices: List[Dict[str, str]]) -> Dict[str, Any]:
    """Return the subscript of the array that has the row, for a subscript of the row with these indices."""
    left = list(indices)
    own = [left.pop(0) if index["kind"] == "slice" and left else index for index in row["indices"]]
    return {"array": row["array"], "indices": [*own, *left]}


def _holds(node: ast.AST, line: int) -> bool:
    return isinstance(node, _FUNCTIONS) and node.lineno <= line <= (node.end_lineno or node.lineno)


def _row(node: ast.Subscript, text: str) -> Optional[Dict[str, Any]]:
    slices = [each for each in ast.walk(node) if isinstance(each, ast.Slice)]
    row = subscripts.entry(node, text)
    is_whole = all(each.lower is each.upper is each.step is None for each in slices)
    is_row = row["array"] is not None and all(index["kind"] != "other" for index in row["indices"])
    return row if is_whole and is_row else None

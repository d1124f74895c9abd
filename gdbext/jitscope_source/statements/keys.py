"""The keys that a statement looks up. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import List, Optional, Tuple

from .. import files
from .divisors import nodes_of_line


def of_line(path: str, line: int, newer_than: Optional[float] = None) -> Optional[List[Tuple[str, str, str]]]:
    """Return what the only simple statement on the line looks up: the text of the container, that of the key, and
    the kind of the key: "name", "constant" or "expression". None where the source is not known, or where other code of
    the statement may look up keys or change the variables."""
    nodes, text = nodes_of_line(path, line, newer_than), files.text_of(path) or ""
    if nodes is None:
        return None
    changed = {node.target for node in nodes if isinstance(node, ast.AugAssign)}
    found: List[Tuple[str, str, str]] = []
    for node in nodes:
        if isinstance(node, ast.Subscript) and (isinstance(node.ctx, ast.Load) or node in changed):
            key: ast.AST = node.slice
            key = getattr(key, "value", key) if type(key).__name__ == "Index" else key  # for Python 3.8
            container, shown = (
                " ".join((ast.get_source_segment(text, each) or "").split()) for each in (node.value, key)
            )
            if not container or not shown:
                return None
            kinds = {ast.Name: "name", ast.Constant: "constant"}
            found.append((container, shown, kinds.get(type(key), "expression")))
    return list(dict.fromkeys(found))

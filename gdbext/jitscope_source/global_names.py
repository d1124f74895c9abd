"""Which names does a function of a source file take from its module?"""

from __future__ import annotations

import ast
import symtable
from functools import lru_cache
from typing import FrozenSet, Iterator, Optional

from . import files


def globals_for_file(path: str, line: int, newer_than: Optional[float] = None) -> FrozenSet[str]:
    """Return the names of the innermost function around the line; none when the file cannot be read or was changed
    after `newer_than` (seconds, as time.time())."""
    tree = files.tree_of(path, newer_than)
    text = None if tree is None else files.text_of(path)
    return frozenset() if tree is None or text is None else _globals(text, _start(tree, line))


def _start(tree: ast.Module, line: int) -> Optional[tuple]:  # type: ignore[type-arg]
    """Name and line of its `def`."""
    found = None
    for node in ast.walk(tree):  # the outer ones come first
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first <= line <= (node.end_lineno or 0):
                found = (node.name, node.lineno)
    return found


@lru_cache(maxsize=32)
def _globals(text: str, start: Optional[tuple]) -> FrozenSet[str]:  # type: ignore[type-arg]
    tables = [t for t in _all(symtable.symtable(text, "?", "exec")) if (t.get_name(), t.get_lineno()) == start]
    if len(tables) != 1 or not isinstance(tables[0], symtable.Function):
        return frozenset()
    return frozenset(tables[0].get_globals())


def _all(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _all(child)

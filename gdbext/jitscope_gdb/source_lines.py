"""Which lines of a source file are statements, and of which function. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
import dis
from functools import lru_cache
from types import CodeType
from typing import Dict, Iterator, Optional

from . import source_files


def function_of(path: str, line: int, newer_than: Optional[float] = None) -> Optional[str]:
    """The name of the function that has a statement on the line; "" where it has none; None: nobody knows."""
    tree = source_files.tree_of(path, newer_than)
    lines = None if tree is None else _lines(tree, path)
    return None if lines is None else lines.get(line, "")


@lru_cache(maxsize=32)
def _lines(tree: ast.Module, path: str) -> Optional[Dict[int, str]]:
    try:
        module = compile(tree, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: Dict[int, str] = {}
    for code in _functions(module):  # inner ones come later
        begin = code.co_firstlineno
        found.update({line: code.co_name for _, line in dis.findlinestarts(code) if line is not None and line > begin})
    return found


def _functions(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & 2:  # CO_NEWLOCALS: not a class
                yield constant
            yield from _functions(constant)

"""Which lines of a source file are statements, and of which function. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
import dis
from functools import lru_cache
from types import CodeType
from typing import Dict, Iterator, List, NamedTuple, Optional

from . import files


class Function(NamedTuple):
    name: str
    begin: int  # its lines, with those of the functions in it
    end: int


NONE = Function("", 0, 0)


def function_of(path: str, line: int, newer_than: Optional[float] = None) -> Optional[Function]:
    """The function that has a statement on the line; NONE where none has; None: nobody knows."""
    tree = files.tree_of(path, newer_than)
    lines = None if tree is None else _lines(tree, path)
    return None if lines is None else lines.get(line, NONE)


def around(path: str, inner: Function) -> List[Function]:
    """The functions that this one stands in, the innermost first."""
    tree = files.tree_of(path)
    known = set((_lines(tree, path) or {}).values()) if tree is not None else set()
    found = [each for each in known if each.begin < inner.begin and inner.end <= each.end]
    return sorted(found, key=lambda each: -each.begin)


def _inner() -> str:
    return (lambda: None).__qualname__


LOCALS = _inner().split(".")[1]  # what `__qualname__` has behind a function that another one stands in


def qualname_of(path: str, function: Function) -> str:
    """The name with those of the classes and functions that it stands in, as `__qualname__` has it."""
    tree = files.tree_of(path)
    if tree is None or function.name.startswith("<"):
        return function.name
    around = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            begin = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if begin < function.begin and function.end <= (node.end_lineno or 0):
                around.append((begin, node.name if isinstance(node, ast.ClassDef) else f"{node.name}.{LOCALS}"))
    return ".".join([*(name for _, name in sorted(around)), function.name])


@lru_cache(maxsize=32)
def _lines(tree: ast.Module, path: str) -> Optional[Dict[int, Function]]:
    try:
        module = compile(tree, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: Dict[int, Function] = {}
    for code in _functions(module):  # inner ones come later
        begin, lines = code.co_firstlineno, _lines_of(code)
        function = Function(
            code.co_name, begin, max([begin, *lines, *(n for c in _functions(code) for n in _lines_of(c))])
        )
        found.update({line: function for line in lines if line > begin})
    return found


def _lines_of(code: CodeType) -> List[int]:
    return [line for _, line in dis.findlinestarts(code) if line is not None]


def _functions(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & 2:  # CO_NEWLOCALS: not a class
                yield constant
            yield from _functions(constant)

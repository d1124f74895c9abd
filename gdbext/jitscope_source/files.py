"""Python files of the debugged program, parsed once. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
import os
import tokenize
from functools import lru_cache
from typing import Dict, List, Optional, Tuple, Union

from . import syntax

Function = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]

PROVIDED: Dict[str, str] = {}  # texts of sources that are in no file, by their names


def text_of(path: str) -> Optional[str]:
    if path in PROVIDED:
        return PROVIDED[path]
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, ValueError):
        return None


def tree_of(path: str, newer_than: Optional[float] = None) -> Optional[ast.Module]:
    """Return the file's syntax tree, kept until the file changes; None if it cannot be read, or was changed after
    `newer_than` (seconds, as time.time())."""
    if path in PROVIDED:
        return _parse_file(path, 0, 0)
    try:
        status = os.stat(path)
    except OSError:
        return None
    if newer_than is not None and status.st_mtime > newer_than:
        return None
    return _parse_file(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=32)
def _parse_file(path: str, _mtime: int, _size: int) -> Optional[ast.Module]:
    text = text_of(path)
    try:
        return None if text is None else ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def problem_of(path: str) -> Optional[str]:
    """Return why tree_of() is None for a file that exists: this Python, which may be older than the program's, cannot
    parse it. None: it can, or there is no file."""
    text = text_of(path)
    try:
        if text is not None:
            ast.parse(text)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or type(error).__name__
    return None


def function_at(tree: ast.Module, line: int, name: str) -> Optional[Function]:
    """Return the only function of this name whose `def` line or decorator line is `line`, or the line above its first
    statement, where Numba may have it begin (numba/core/lowering.py, 0.57-0.68)."""
    plain = name.rsplit(".", 1)[-1]
    found = _functions(tree).get((line, plain), [])
    return found[0] if len(found) == 1 else None


def _first_line(node: Union[ast.FunctionDef, ast.AsyncFunctionDef]) -> int:
    """Return the line of the body's first statement; a docstring is none."""
    has_text = len(node.body) > 1 and ast.get_docstring(node, clean=False) is not None
    return node.body[1 if has_text else 0].lineno


@lru_cache(maxsize=32)
def _functions(tree: ast.Module) -> Dict[Tuple[int, str], List[Function]]:
    """Return the functions of a file by line (a decorator's, too) and name. They are found once and asked for each
    function."""
    found: Dict[Tuple[int, str], List[Function]] = {}
    for node in syntax.all_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for line in {node.lineno, *(decorator.lineno for decorator in node.decorator_list), _first_line(node) - 1}:
                found.setdefault((line, node.name), []).append(node)
        elif isinstance(node, ast.Lambda):
            found.setdefault((node.lineno, "<lambda>"), []).append(node)
    return found

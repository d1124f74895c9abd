"""The first line of a function's body. For each function with debug information Numba parses the whole file
(numba/misc/firstlinefinder.py, 0.57-0.68), which is half of the compile time of some functions; here a file is parsed
once."""

from __future__ import annotations

import ast
import functools
import os
import textwrap
from typing import Any

from numba.core import lowering

from jitscope.compiler.numba_ir import flags

_FINDER = "get_func_body_first_lineno"  # in numba.core.lowering; a Numba without it does not parse the file


@functools.lru_cache(maxsize=32)
def _bodies(path: str, modified: int, size: int) -> dict[tuple[str, int], int]:
    """Map each function's name and the line of its `def` or first decorator to the line of its first statement that is
    no docstring, for a file as it was at that time in ns with that many bytes."""
    with open(path) as file:
        tree = ast.parse(textwrap.dedent(file.read()))
    found: dict[tuple[str, int], int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = node.body[min(len(node.body) - 1, ast.get_docstring(node, clean=False) is not None)]
            for line in (node.lineno, *(each.lineno for each in node.decorator_list[:1])):
                found[node.name, line] = first.lineno
    return found


def _first_line(original: Any, function: Any) -> Any:
    """Wrap Numba's own function, which handles functions that are not found or whose file cannot be read."""
    code = function.__code__
    try:
        status = os.stat(code.co_filename)
        line = _bodies(code.co_filename, status.st_mtime_ns, status.st_size).get((code.co_name, code.co_firstlineno))
    except (OSError, ValueError, SyntaxError):
        line = None
    if line is None and flags.is_unasked(function):  # Numba would warn, or fail where it cannot parse the file
        return code.co_firstlineno + 2  # as Numba has it of a function that it does not find
    return original(function) if line is None else line


def install() -> None:
    """Wrap Numba's function, once for each process."""
    if hasattr(lowering, _FINDER):
        original = getattr(lowering, _FINDER)
        setattr(lowering, _FINDER, functools.wraps(original)(functools.partial(_first_line, original)))

"""Tests for NaNs and infinities in functions with fastmath=True, for which there are none.

Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Optional, Tuple

from .. import syntax

_TESTS = frozenset(("isnan", "isinf", "isfinite", "isneginf", "isposinf", "nan_to_num", "nansum", "nanmean", "nanmax"))


def first_test(function: ast.AST) -> Optional[Tuple[str, int]]:
    """Return the first such call in a function, as np.isnan, and its line; None: it has none, or its decorators do not
    say fastmath=True."""
    if not any(_is_fast(each) for each in getattr(function, "decorator_list", ())):
        return None
    calls = [node for node in syntax.all_nodes(function) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", None)
        if name in _TESTS:
            around = getattr(getattr(call.func, "value", None), "id", "")
            return f"{around}.{name}" if around else name, call.lineno
    return None


def _is_fast(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and any(
        each.arg == "fastmath" and isinstance(each.value, ast.Constant) and each.value.value is True
        for each in decorator.keywords
    )

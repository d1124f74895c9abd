"""Tests for NaNs and infinities in functions with fastmath=True, for which there are none.

Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Optional, Tuple

from .. import syntax

_TESTS = frozenset(("isnan", "isinf", "isfinite", "isneginf", "isposinf", "nan_to_num", "nansum", "nanmean", "nanmax"))
_NUMBERS = frozenset(("inf", "infinity", "infty", "Inf", "NINF", "PINF", "nan", "NaN", "NAN"))


def first_test(function: ast.AST, text: str) -> Optional[Tuple[str, int]]:
    """Return the first test in a function, as np.isnan, x != x or high == np.inf, and its line; None: it has none, or
    its decorators do not say fastmath=True. `text`: the file's."""
    if not any(_is_fast(each) for each in getattr(function, "decorator_list", ())):
        return None
    nodes = [node for node in syntax.all_nodes(function) if isinstance(node, (ast.Call, ast.Compare))]
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        if isinstance(node, ast.Compare):
            if _is_special_comparison(node):
                return " ".join((ast.get_source_segment(text, node) or "").split()), node.lineno
        elif _name(node.func) in _TESTS:
            around = getattr(getattr(node.func, "value", None), "id", "")
            return f"{around}.{_name(node.func)}" if around else _name(node.func), node.lineno
    return None


def _name(node: ast.AST) -> str:
    return str(getattr(node, "attr", None) or getattr(node, "id", ""))


def _is_special_comparison(node: ast.Compare) -> bool:
    """True for a comparison with an infinity or a NaN, and of a name with itself, which is a test for NaNs."""
    sides = [node.left, *node.comparators]
    pairs = zip(sides, sides[1:])
    return any(map(_is_special, sides)) or any(
        isinstance(left, ast.Name) and isinstance(right, ast.Name) and left.id == right.id for left, right in pairs
    )


def _is_special(node: ast.expr) -> bool:
    """True for np.inf, -math.inf and float("inf"), and the like of NaN; a plain name may be any number."""
    if isinstance(node, ast.UnaryOp):
        return _is_special(node.operand)
    if isinstance(node, ast.Call):
        given = node.args[0] if _name(node.func) == "float" and len(node.args) == 1 else None
        return isinstance(given, ast.Constant) and str(given.value).strip("+-").lower() in _NUMBERS
    return isinstance(node, ast.Attribute) and node.attr in _NUMBERS and _name(node.value) in ("np", "numpy", "math")


def _is_fast(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and any(
        each.arg == "fastmath" and isinstance(each.value, ast.Constant) and each.value.value is True
        for each in decorator.keywords
    )

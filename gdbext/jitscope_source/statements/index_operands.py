"""What the value of an index's expression is in compiled code, whose integers have 64 bits: a difference of unsigned
integers is never negative, and sums and products wrap. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Any, Callable, List, NamedTuple, Optional

_LEAVES = (ast.Name, ast.Attribute, ast.Subscript)
_ADDING = (ast.Add, ast.Sub, ast.Mult, ast.UAdd, ast.USub, ast.Invert)  # exact modulo 2**64
_SIGNS = (ast.USub, ast.Invert)
_BITS = 64


class Operands(NamedTuple):
    texts: List[str]  # names, attributes and items that the expression computes with
    has_constant: bool
    is_sum: bool  # it only adds, subtracts and multiplies
    negates: bool
    steps: List[str]  # the sums, products and the like that it computes on the way


def of_expression(text: str) -> Optional[Operands]:
    """Return the operands of an expression; None if it is no expression."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    nodes = list(_nodes(tree))
    operators = [node.op for node in nodes if isinstance(node, (ast.BinOp, ast.UnaryOp))]
    return Operands(
        [ast.get_source_segment(text, node) or "" for node in nodes if isinstance(node, _LEAVES)],
        any(isinstance(node, ast.Constant) for node in nodes),
        all(isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Constant, *_LEAVES)) for node in nodes)
        and all(isinstance(operator, _ADDING) for operator in operators),
        any(isinstance(operator, _SIGNS) for operator in operators),
        [ast.get_source_segment(text, node) or "" for node in nodes if isinstance(node, (ast.BinOp, ast.UnaryOp))],
    )


def _nodes(node: ast.AST) -> List[ast.AST]:
    """Return the node and the parts of its computation; not those of an attribute or an item."""
    if isinstance(node, _LEAVES):
        return [node]
    parts = [child for child in ast.iter_child_nodes(node) if isinstance(child, (ast.expr, ast.keyword))]
    return [node, *(each for part in parts for each in _nodes(part))]


def compiled(
    value: int, operands: Operands, type_of: Callable[[str], str], value_of: Callable[[str], Any]
) -> Optional[int]:
    """Return the value in compiled code of an expression that has the exact value `value`; None: it is not known.
    `type_of` and `value_of` return the type of an operand, such as uint64, and the exact value of a step."""
    types = [type_of(text) for text in operands.texts]
    unsigned = [kind for kind in types if kind.startswith("uint")]
    if not operands.is_sum:
        fits = all(_fits(value_of(step), bool(unsigned)) for step in operands.steps)
        return value if fits and _fits(value, bool(unsigned)) else None
    if not unsigned:
        return _signed(value)
    # -i of a narrow type has that type's bits, though its type is uint64 (numba/cpython/numbers.py)
    if operands.negates and set(unsigned) != {"uint64"}:
        return None
    if len(unsigned) < len(types) or operands.has_constant:
        return None if "uint64" in unsigned else _signed(value)  # a sum of int64 and uint64 is a float
    return value % (1 << _BITS)


def _fits(value: Any, is_unsigned: bool) -> bool:
    """True if a step with this exact value has it in compiled code, too."""
    if isinstance(value, int):
        return 0 <= value < 1 << _BITS - 1 if is_unsigned else _signed(value) == value
    return isinstance(value, float)


def _signed(value: int) -> int:
    half = 1 << _BITS - 1
    return (value + half) % (1 << _BITS) - half

"""What the value of an index's expression is in compiled code, whose integers have 64 bits: a difference of unsigned
integers is never negative, and sums and products wrap. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Callable, List, NamedTuple, Optional

_LEAVES = (ast.Name, ast.Attribute, ast.Subscript)
_ADDING = (ast.Add, ast.Sub, ast.Mult, ast.UAdd, ast.USub, ast.Invert)  # exact modulo 2**64
_SIGNS = (ast.USub, ast.Invert)
_BITS = 64


class Operands(NamedTuple):
    texts: List[str]  # names, attributes and items that the expression computes with
    has_constant: bool
    is_sum: bool  # it only adds, subtracts and multiplies
    negates: bool
    subtracts: bool  # or negates


def of_expression(text: str) -> Optional[Operands]:
    """Return the operands of an expression; None if it is no expression."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    nodes = list(_nodes(tree))
    operators = [node.op for node in nodes if isinstance(node, (ast.BinOp, ast.UnaryOp))]
    negates = any(isinstance(operator, _SIGNS) for operator in operators)
    return Operands(
        [ast.get_source_segment(text, node) or "" for node in nodes if isinstance(node, _LEAVES)],
        any(isinstance(node, ast.Constant) for node in nodes),
        all(isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Constant, *_LEAVES)) for node in nodes)
        and all(isinstance(operator, _ADDING) for operator in operators),
        negates,
        negates or any(isinstance(operator, ast.Sub) for operator in operators),
    )


def _nodes(node: ast.AST) -> List[ast.AST]:
    """Return the node and the parts of its computation; not those of an attribute or an item."""
    if isinstance(node, _LEAVES):
        return [node]
    parts = [child for child in ast.iter_child_nodes(node) if isinstance(child, (ast.expr, ast.keyword))]
    return [node, *(each for part in parts for each in _nodes(part))]


def compiled(value: int, operands: Operands, type_of: Callable[[str], str]) -> Optional[int]:
    """Return the value in compiled code of an expression that has the exact value `value`; None: it is not known.
    `type_of` returns the type of an operand, such as uint64."""
    types = [type_of(text) for text in operands.texts]
    unsigned = [kind for kind in types if kind.startswith("uint")]
    if not unsigned:
        return _signed(value) if operands.is_sum or _signed(value) == value else None
    if not operands.is_sum:
        return value if not operands.subtracts and 0 <= value < 1 << _BITS - 1 else None
    # -i of a narrow type has that type's bits, though its type is uint64 (numba/cpython/numbers.py)
    if operands.negates and set(unsigned) != {"uint64"}:
        return None
    if len(unsigned) < len(types) or operands.has_constant:
        return None if "uint64" in unsigned else _signed(value)  # a sum of int64 and uint64 is a float
    return value % (1 << _BITS)


def _signed(value: int) -> int:
    half = 1 << _BITS - 1
    return (value + half) % (1 << _BITS) - half

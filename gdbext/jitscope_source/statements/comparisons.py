"""Comparisons of numbers as Numba compiles them: the type in which both are compared, and what that does to them.

Plain Python, usable outside of GDB. The rules are those of numba/core/typing/builtins.py (OrderedCmpOp,
integer_binop_cases) and numba/core/typeconv/rules.py, which are the same in 0.57 to 0.68."""

from __future__ import annotations

import ast
import operator
import re
import struct
from typing import Any, Callable, List, NamedTuple, Optional, Tuple

_COMPARES = {
    ast.Lt: ("<", operator.lt), ast.LtE: ("<=", operator.le), ast.Gt: (">", operator.gt), ast.GtE: (">=", operator.ge),
    ast.Eq: ("==", operator.eq), ast.NotEq: ("!=", operator.ne),
}  # fmt: skip
_ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
_KIND = re.compile(r"(u?)int(8|16|32|64)$|bool(?:ean)?$|float(32|64)$")
_AS_FLOAT32 = ("bool", "int8", "int16", "uint8", "float32")


class Operand(NamedTuple):
    """One side of a comparison. `kind`: its Numba type, None if it is not known; `value`: None if it is not known;
    `exact`: the value if no integer had wrapped around in the text."""

    text: str
    kind: Optional[str]
    value: Any
    exact: Any


class Comparison(NamedTuple):
    sign: str
    operands: List[Operand]

    @property
    def kind(self) -> Optional[str]:
        """Return the type in which the operands are compared; None if it is not known."""
        first, second = (each.kind for each in self.operands)
        return compared_as(first, second) if first and second else None

    def holds(self, is_exact: bool) -> Optional[bool]:
        """Return whether the comparison holds of the values, or of what they become; None if they are not known."""
        values = [each.exact if is_exact else each.value for each in self.operands]
        if None in values or not is_exact and self.kind is None:
            return None
        if not is_exact:
            values = [converted(value, str(self.kind)) for value in values]
        return bool({sign: compare for sign, compare in _COMPARES.values()}[self.sign](*values))


Read = Callable[[str], Tuple[Optional[str], Any]]  # returns the type and the value of what a variable leads to


def read(text: str, leaf: Read) -> Optional[Comparison]:
    """Return the comparison that the text is; None: it is none, or one of more than two operands."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1 or type(tree.ops[0]) not in _COMPARES:
        return None
    sides = (tree.left, tree.comparators[0])
    source = text.strip()
    return Comparison(
        _COMPARES[type(tree.ops[0])][0],
        [Operand(ast.get_source_segment(source, side) or "?", *_typed(side, source, leaf)) for side in sides],
    )


_Known = Tuple[Optional[str], Any, Any]  # the type, the value and the exact value of an Operand
_UNKNOWN: _Known = (None, None, None)


def _typed(node: ast.expr, source: str, leaf: Read) -> _Known:
    if isinstance(node, ast.Constant):
        return _constant(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        kind, value, _ = _constant(node.operand.value)
        return (kind, -value, -value) if kind in ("int64", "float64") else _UNKNOWN
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        kind, value = leaf(ast.get_source_segment(source, node) or "")
        return (kind, value, value) if kind and _KIND.match(kind) else _UNKNOWN
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        return _computed(_ARITHMETIC[type(node.op)], *(_typed(side, source, leaf) for side in (node.left, node.right)))
    return _UNKNOWN


def _constant(value: Any) -> _Known:
    if isinstance(value, bool):
        return "bool", value, value
    if isinstance(value, int):
        return ("int64" if value < 1 << 63 else "uint64" if value < 1 << 64 else None), value, value
    return ("float64", value, value) if isinstance(value, float) else _UNKNOWN


def _computed(compute: Any, left: _Known, right: _Known) -> _Known:
    """Return a sum, difference or product of integers, whose value wraps around."""
    kinds = [kind for kind, _, _ in (left, right)]
    if not all(kind and "int" in kind for kind in kinds):
        return _UNKNOWN
    kind = "uint64" if all(str(each).startswith("u") for each in kinds) else "int64"
    if left[1] is None or right[1] is None:
        return kind, None, None
    bits = compute(left[1], right[1]) % (1 << 64)
    value = bits - (1 << 64) if kind == "int64" and bits >> 63 else bits
    return kind, value, compute(left[2], right[2])


def compared_as(first: str, second: str) -> str:
    """Return the type in which Numba compares numbers of these types."""
    first, second = ("bool" if kind == "boolean" else kind for kind in (first, second))
    if "float" in first + second:
        is_short = all(kind in _AS_FLOAT32 for kind in (first, second))
        return "float32" if is_short else "float64"
    if "bool" in (first, second):
        return second if first == "bool" else first
    (unsigned, bits), (other, more) = ((kind.startswith("u"), int(kind.lstrip("uint"))) for kind in (first, second))
    if unsigned == other:
        return f"{'u' * unsigned}int{max(bits, more)}"
    signed, without = (more, bits) if unsigned else (bits, more)
    return "float64" if without == 64 else f"int{max(signed, 2 * without)}"


def is_exact(kind: str, as_kind: str) -> bool:
    """True if each number of the type `kind` is also one of the type in which it is compared."""
    return as_kind != "float64" or kind not in ("int64", "uint64")


def converted(value: Any, kind: str) -> Any:
    """Return what a number becomes in the type."""
    if kind == "float32":
        return struct.unpack("<f", struct.pack("<f", value))[0]
    return float(value) if kind == "float64" else value

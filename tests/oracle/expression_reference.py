"""The results that `jit print` promises, by Python and NumPy: those of eval, except that operations on scalars alone
are Python's (exact integers, division by zero raises) with NumPy's type if it has room for the result."""

from __future__ import annotations

import ast
import math
import operator
from typing import Any, Callable

import numpy as np

BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.MatMult: operator.matmul,
}  # fmt: skip
COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.GtE: operator.ge,
    ast.Gt: operator.gt,
}  # fmt: skip
UNARY: dict[type, Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}
BITS = 1 << 127  # wider integers are refused


class TooWide(OverflowError):
    """An integer of more than 127 bits."""


def among(left: Any, right: Any) -> tuple[Any, Any]:
    """Return the operands of an operation: without an array, scalars become Python's."""
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return left, right
    return deep(left), deep(right)


def deep(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(deep(item) for item in value)
    return plain(value)


def is_scalar(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex, np.bool_, np.number))


def plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def typed(value: Any, operands: list[Any]) -> Any:
    """Return a result of Python's arithmetic with the operands' common type."""
    if isinstance(value, int) and not -BITS <= value < BITS:
        raise TooWide
    if not any(isinstance(operand, np.generic) for operand in operands):
        return value
    kind = np.result_type(*operands)
    if isinstance(value, bool):
        return np.bool_(value)
    if isinstance(value, int):
        if kind.kind not in "iu":
            kind = np.dtype("i8")
        info = np.iinfo(kind)
        return kind.type(value) if info.min <= value <= info.max else value
    if kind.kind in "biu":
        kind = np.dtype("f8")
    if isinstance(value, float) and kind.kind == "c":
        kind = np.dtype("f4" if kind == np.complex64 else "f8")
    return kind.type(value)


def same(left: Any, right: Any) -> bool:
    return bool(compare(operator.eq, left, right))


def compare(function: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    if is_scalar(left) and is_scalar(right):
        return function(plain(left), plain(right))
    return function(*among(left, right))


class Evaluator:
    """The evaluation of one expression over variables."""

    def __init__(self, variables: dict[str, Any]):
        self.variables = variables

    def run(self, text: str) -> Any:
        with np.errstate(all="ignore"):
            return self.visit(ast.parse(text, mode="eval").body)

    def visit(self, node: Any) -> Any:
        return getattr(self, type(node).__name__)(node)

    def Constant(self, node: Any) -> Any:
        return node.value

    def Name(self, node: Any) -> Any:
        if node.id in self.variables:
            return self.variables[node.id]
        if node.id == "np":
            return np
        raise NameError(f"name '{node.id}' is not defined")

    def Tuple(self, node: Any) -> Any:
        return tuple(self.visit(item) for item in node.elts)

    def List(self, node: Any) -> Any:
        return [self.visit(item) for item in node.elts]

    def Slice(self, node: Any) -> Any:
        parts = [None if part is None else self.visit(part) for part in (node.lower, node.upper, node.step)]
        return slice(*[plain(part) for part in parts])

    def Subscript(self, node: Any) -> Any:
        value, key = self.visit(node.value), self.visit(node.slice)
        if is_scalar(value):
            raise TypeError(f"'{type(plain(value)).__name__}' object is not subscriptable")
        return value[key]

    def BinOp(self, node: Any) -> Any:
        left, right = self.visit(node.left), self.visit(node.right)
        return self.binary(BINARY[type(node.op)], left, right)

    def binary(self, function: Any, left: Any, right: Any) -> Any:
        if is_scalar(left) and is_scalar(right):
            a, b = plain(left), plain(right)
            if function is operator.pow and isinstance(a, int) and isinstance(b, int) and abs(a) > 1 and b > 200:
                raise TooWide
            if function is operator.lshift and isinstance(a, int) and isinstance(b, int) and a and b > 200:
                raise TooWide
            return typed(function(a, b), [left, right])
        return function(*among(left, right))

    def UnaryOp(self, node: Any) -> Any:
        value = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            return not value
        function = UNARY[type(node.op)]
        if is_scalar(value):
            return typed(function(plain(value)), [value])
        return function(value)

    def Compare(self, node: Any) -> Any:
        left = self.visit(node.left)
        result: Any = None
        for index, (op, other) in enumerate(zip(node.ops, node.comparators)):
            right = self.visit(other)
            result = self.compare_one(op, left, right)
            if index + 1 < len(node.ops) and not result:
                return result
            left = right
        return result

    def compare_one(self, op: Any, left: Any, right: Any) -> Any:
        if isinstance(op, (ast.In, ast.NotIn)):
            if isinstance(right, np.ndarray):
                found = bool(np.any(right == left))
            elif isinstance(right, (tuple, list)):
                found = any(bool(compare(operator.eq, item, left)) for item in right)
            else:
                found = plain(left) in plain(right)
            return found == isinstance(op, ast.In)
        return compare(COMPARE[type(op)], left, right)

    def BoolOp(self, node: Any) -> Any:
        stops = isinstance(node.op, ast.Or)
        result: Any = None
        for part in node.values[:-1]:
            result = self.visit(part)
            if bool(result) == stops:
                return result
        return self.visit(node.values[-1])

    def IfExp(self, node: Any) -> Any:
        return self.visit(node.body) if self.visit(node.test) else self.visit(node.orelse)

    def Attribute(self, node: Any) -> Any:
        return self.attribute(self.visit(node.value), node.attr)

    def attribute(self, owner: Any, name: str) -> Any:
        if is_scalar(owner) and name not in ("real", "imag"):  # NumPy's scalars have the attributes of arrays
            raise AttributeError(f"'{type(plain(owner)).__name__}' object has no attribute '{name}'")
        if isinstance(owner, (bool, np.bool_)):
            return getattr(int(owner), name)
        return getattr(owner, name)

    def Call(self, node: Any) -> Any:
        if isinstance(node.func, ast.Attribute):
            owner = self.visit(node.func.value)
            named = {keyword.arg: self.visit(keyword.value) for keyword in node.keywords}
            return self.attribute(owner, node.func.attr)(*[self.visit(argument) for argument in node.args], **named)
        return getattr(self, "call_" + node.func.id)(*[self.visit(argument) for argument in node.args])

    def call_len(self, value: Any) -> Any:
        return len(value)

    def call_abs(self, value: Any) -> Any:
        if is_scalar(value):
            return typed(abs(plain(value)), [value])
        return abs(value)

    def classify(self, function: Any, scalar: Any, value: Any) -> Any:
        if is_scalar(value):
            value = complex(plain(value)) if not isinstance(plain(value), int) else 0j
            return scalar(value.real) or scalar(value.imag)
        return function(value)

    def call_isnan(self, value: Any) -> Any:
        return self.classify(np.isnan, math.isnan, value)

    def call_isinf(self, value: Any) -> Any:
        return self.classify(np.isinf, math.isinf, value)

    def extreme(self, function: Any, method: str, values: Any) -> Any:
        if len(values) == 1 and isinstance(values[0], np.ndarray) and values[0].ndim == 1 and values[0].size:
            return getattr(values[0], method)()
        items = values[0] if len(values) == 1 else values
        if not isinstance(items, (tuple, list, np.ndarray)):
            return function(items)
        if not items and isinstance(items, (tuple, list)):
            return function(items)
        return function(items, key=lambda item: plain(item) if is_scalar(item) else item)

    def call_min(self, *values: Any) -> Any:
        return self.extreme(min, "min", values)

    def call_max(self, *values: Any) -> Any:
        return self.extreme(max, "max", values)

    def call_sum(self, value: Any) -> Any:
        if isinstance(value, np.ndarray) and value.ndim == 1:
            return value.sum()
        total: Any = 0
        for item in value:
            total = self.binary(operator.add, total, item)
        return total

    def call_int(self, value: Any) -> Any:
        result = int(plain(value))
        if not -BITS <= result < BITS:
            raise TooWide
        return result

    def call_float(self, value: Any) -> Any:
        return float(plain(value))

    def call_bool(self, value: Any) -> Any:
        return bool(value)

    def call_round(self, value: Any) -> Any:
        result = round(plain(value))
        if isinstance(result, int) and not -BITS <= result < BITS:
            raise TooWide
        return result

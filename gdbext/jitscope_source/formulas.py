"""Formulas of assigned values (`program/source/flow.h`), for values that follow entirely from numbers, tests and other
variables. Plain Python, usable outside of GDB.

A formula is a tuple: ("name", x), ("number", text), ("+", left, right), … ("?", test, then, else) may be the outermost
part, and ".none" in it is a value that is not known. (".if", test, then, else) chooses one of two numbers anywhere.
("entry", x) is the argument x as it was when the function began, ("text", …) a str or None that the source writes.
(".whole", …) is right for whole numbers only, because sums of floats are rounded differently. expression() writes a
formula as Python."""

from __future__ import annotations

import ast
import operator
from functools import lru_cache
from typing import Any, Callable, Collection, Dict, FrozenSet, Iterator, List, Optional, Tuple

from . import syntax

Value = Tuple[Any, ...]
BUILT_IN = frozenset(("enumerate", "len", "max", "min", "range"))
MOST = 64  # names, numbers and operations of a formula, at most
LONGEST = 1000  # characters of a text in a formula, at most
NONE: Value = (".none",)
ZERO: Value = ("number", "0")
ONE: Value = ("number", "1")

_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
_OPERATIONS: Dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    ".whole": operator.index,
}
_COMPARES = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_LEAVES = ("name", "number", "entry", "text")
_TESTS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


def value_of(node: Optional[ast.AST], names: Collection[str], strange: bool = False) -> Optional[Value]:
    """Return the formula of an expression; None if it does not follow from these names (the function's own) and numbers
    alone. `strange`: other meanings may hide the built-in functions."""
    text = syntax.literal(node)
    if text is not None:
        return ("number", text)
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str)):
        literal = ascii(node.value)
        return ("text", literal) if len(literal) <= LONGEST else None
    if isinstance(node, ast.Name):
        return ("name", node.id) if node.id in names else None
    if isinstance(node, ast.BinOp):
        sign = _BINARY.get(type(node.op))
        divides = sign in ("//", "%")
        if sign is None or divides and not _divides(node.right):
            return None
        return made_of(sign, names, strange, node.left, node.right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
        return made_of(".not" if isinstance(node.op, ast.Not) else ".neg", names, strange, node.operand)
    if isinstance(node, ast.Compare) and all(type(op) in _TESTS for op in node.ops):
        sides = [node.left, *node.comparators]
        pairs = zip(node.ops, sides, sides[1:])
        return _joined(".and", [made_of(_TESTS[type(op)], names, strange, *pair) for op, *pair in pairs])
    if isinstance(node, ast.BoolOp):
        joint = ".and" if isinstance(node.op, ast.And) else ".or"
        return _joined(joint, [value_of(part, names, strange) for part in node.values])
    if isinstance(node, ast.IfExp):
        made = assigned(node, names, strange)
        return None if made is None else _as_part(made)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        axes = [_axis(axis) for axis in (node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])]
        return None if None in axes else made_of(".view:" + ", ".join(map(str, axes)), names, strange, node.value)
    if isinstance(node, ast.Tuple) and 0 < len(node.elts) <= 8:
        return made_of(".tuple", names, strange, *node.elts)
    if isinstance(node, ast.Subscript):
        index = literal_index(node)
        return None if index is None else axis(node.value, index, names)
    return _called(node, names, strange) if isinstance(node, ast.Call) else None


def literal_index(node: ast.Subscript) -> Optional[int]:
    """Return the index of `x[1]`; None for an index that is no literal."""
    index = getattr(node.slice, "value", None) if isinstance(node.slice, ast.Constant) else None
    if isinstance(node.slice, getattr(ast, "Index", ())) and isinstance(getattr(node.slice, "value", 0), ast.Constant):
        index = node.slice.value.value  # type: ignore[attr-defined]
    return index if type(index) is int else None


def axis(node: Optional[ast.AST], number: int, names: Collection[str]) -> Optional[Value]:
    """Return the formula of one number of an array's shape, `name.shape`."""
    array = syntax.shape_of(node)
    if array is None or array.id not in names or not 0 <= number < 10:
        return None
    return (f".axis{number}" if number else ".len", ("name", array.id))


def assigned(node: Optional[ast.AST], names: Collection[str], strange: bool = False) -> Optional[Value]:
    """Like value_of(), but for an assigned value, which a conditional expression may choose."""
    if not isinstance(node, ast.IfExp):
        return value_of(node, names, strange)
    test = test_of(node.test, names, strange)
    parts = [assigned(part, names, strange) for part in (node.body, node.orelse)]
    return None if test is None else chosen(test, *parts)


def test_of(node: ast.AST, names: Collection[str], strange: bool = False) -> Optional[Value]:
    """Return the formula of a test if it is a number, else None."""
    value = value_of(node, names, strange)
    return value if value is not None and _is_numeric(value) else None


@lru_cache(maxsize=32)
def rebinds(tree: ast.Module) -> bool:
    """True if the file's own names may hide the built-in functions that are known here."""
    for node in syntax.own_nodes(tree.body):
        names = syntax.bound_names(node)
        if "*" in names or not BUILT_IN.isdisjoint(names):
            return True
    return False


@lru_cache(maxsize=32)
def parallel_ranges(tree: ast.Module) -> FrozenSet[str]:
    """Return the file's names for Numba's prange: its own, and its names for a module with `.prange`. A name that the
    file binds twice is left out."""
    found: Dict[str, str] = {}
    times: Dict[str, int] = {}
    for node in syntax.own_nodes(tree.body):
        for name in syntax.bound_names(node):
            times[name] = times.get(name, 0) + 1
        if isinstance(node, ast.Import):
            names = {alias.asname or alias.name: alias.name for alias in node.names}
            found.update({name: name + ".prange" for name, module in names.items() if module == "numba"})
        if isinstance(node, ast.ImportFrom) and node.module == "numba" and not node.level:
            found.update(
                {
                    alias.asname or alias.name: alias.asname or alias.name
                    for alias in node.names
                    if alias.name == "prange"
                }
            )
    return frozenset(text for name, text in found.items() if times[name] == 1 and "*" not in times)


def _called(node: ast.Call, names: Collection[str], strange: bool = False) -> Optional[Value]:
    maker = node.func.id if isinstance(node.func, ast.Name) else ""
    if node.keywords or maker in names or strange:
        return None
    if maker == "len" and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
        return made_of(".len", names, strange, node.args[0])
    if maker in ("min", "max") and len(node.args) == 2:
        return made_of("." + maker, names, strange, *node.args)
    return None


def made_of(sign: str, names: Collection[str], strange: bool, *nodes: ast.AST) -> Optional[Value]:
    parts = []
    for node in nodes:
        part = value_of(node, names, strange)
        if part is None:
            return None
        parts.append(part)
    return _folded(sign, parts)


def _folded(sign: str, parts: List[Value]) -> Value:
    """Return the number that an operation on literals gives, as Python folds it, or else the operation."""
    function = _OPERATIONS.get(sign)
    if function is None or any(part[0] != "number" for part in parts):
        return (sign, *parts)
    try:
        made = function(*(ast.literal_eval(part[1]) for part in parts))
    except (ArithmeticError, TypeError, ValueError):
        return (sign, *parts)
    text = syntax.literal(ast.Constant(made))
    return (sign, *parts) if text is None else ("number", text)


def _axis(node: ast.AST) -> Optional[str]:
    """Return an index or a slice of numbers that the source writes, as Python."""
    if not isinstance(node, ast.Slice):
        return None if isinstance(getattr(node, "value", None), bool) else number_of(node)
    given = [node.lower, node.upper, *([] if node.step is None else [node.step])]
    parts = ["" if part is None else number_of(part) for part in given]
    return None if None in parts or parts[2:] in (["0"], ["-0"]) else ":".join(map(str, parts))


def _joined(sign: str, parts: List[Optional[Value]]) -> Optional[Value]:
    made = parts[0]
    for part in parts[1:]:
        made = None if made is None or part is None else (sign, made, part)
    return made


def _divides(node: ast.AST) -> bool:
    """True for a number by which Python's and the machine's division are known to differ only by their rounding."""
    text = syntax.literal(node)
    return text is not None and text.lstrip("-").isdigit() and int(text) not in (0, -1)


@lru_cache(maxsize=4096)
def mentioned(value: Value) -> FrozenSet[str]:
    if value[0] == "name":
        return frozenset(value[1:])
    if value[0] in _LEAVES or len(value) == 1:
        return frozenset()
    return frozenset().union(*map(mentioned, value[1:]))


def replaced(value: Value, name: str, by: Optional[Value]) -> Optional[Value]:
    """Return the formula with another expression in place of the name; None if there is none, or the result would be
    too long."""
    if name not in mentioned(value):
        return value
    made = None if by is None else _replaced(value, name, by, True)
    return made if made is not None and size_of(made) <= MOST else None


def _replaced(value: Value, name: str, by: Value, outermost: bool) -> Optional[Value]:
    if value[0] == "name" and value[1] == name:
        return by if outermost or by[0] != "?" else _as_part(by)
    if value[0] in _LEAVES or name not in mentioned(value):
        return value
    if (value[0].startswith((".len", ".axis")) or is_view(value)) and by[0] not in ("name", "entry"):
        return None
    parts = []
    for number, part in enumerate(value[1:]):
        is_chosen = value[0] == "?" and number > 0
        made = _replaced(part, name, by, is_chosen)
        if made is None and not is_chosen:
            return None
        parts.append(NONE if made is None else made)
    return None if value[0] == "?" and parts[1] == parts[2] == NONE else _folded(value[0], parts)


def _as_part(value: Value) -> Optional[Value]:
    """Return a choice of numbers as a part of an expression, which must always have a value; else None."""
    if value[0] != "?":
        return value if _is_numeric(value) and value != NONE else None
    parts = [_as_part(part) for part in value[2:]]
    return None if None in parts else (".if", value[1], *parts)


def before(name: str, value: Optional[Value]) -> Optional[Value]:
    """Return the formula of the name's value before it was given this one: for `x + 1`, x - 1."""
    if value is not None and value[0] in "+-" and value[1] == ("name", name) and value[2][0] == "number":
        return (".whole", ("-" if value[0] == "+" else "+", value[1], value[2]))
    return None


def is_view(value: Value) -> bool:
    return bool(value[0].startswith(".view:"))


def is_whole_number(value: Value) -> bool:
    return value[0] == "number" and bool(value[1].lstrip("-").isdigit())


def number_of(node: ast.AST) -> Optional[str]:
    text = syntax.literal(node)
    return text if text is not None and len(text) < 18 and text.lstrip("-").isdigit() else None


def greatest(left: Value, right: Value) -> Value:
    if is_whole_number(left) and is_whole_number(right):
        return ("number", str(max(int(left[1]), int(right[1]))))
    return (".max", left, right)


def chosen(test: Value, then: Optional[Value], other: Optional[Value]) -> Optional[Value]:
    """Return the formula that chooses one of two values; None if neither is known."""
    if then is None and other is None or then == other:
        return then
    if test[0] in _COMPARES and all(map(is_whole_number, test[1:])):
        left, right = (int(side[1]) for side in test[1:])
        return then if _COMPARES[test[0]](left, right) else other
    made = ("?", test, then or NONE, other or NONE)
    texts = {part for part in _chosen_of(made) if part != NONE}
    fits = all(map(_is_tuple, made[2:])) or all(map(_is_scalar, made[2:]))
    fits = fits or all(is_view(part) or part == NONE for part in _chosen_of(made))
    fits = fits or (len(texts) == 1 and all(part[0] == "text" for part in texts))
    return made if fits and size_of(made) <= MOST else None


def _chosen_of(value: Value) -> Iterator[Value]:
    """Yield the values among which the tests of a choice choose."""
    if value[0] != "?":
        yield value
    for part in value[2:] if value[0] == "?" else ():
        yield from _chosen_of(part)


def settled(value: Value, known: Callable[[str], Optional[Value]]) -> Optional[Value]:
    """Return the formula with known numbers in place of names, and without the tests that these decide."""
    if value[0] == "?":
        test, then, other = (settled(part, known) for part in value[1:])
        if test is None or then is None or other is None:
            return None
        return chosen(test, None if then == NONE else then, None if other == NONE else other) or NONE
    for name in mentioned(value):
        number = known(name)
        if number is not None and is_whole_number(number):
            made = replaced(value, name, number)
            value = value if made is None else made
    return value


def _is_scalar(value: Value) -> bool:
    if value[0] == "?":
        return all(map(_is_scalar, value[2:]))
    return _is_numeric(value)


def _is_tuple(value: Value) -> bool:
    if value[0] == "?":
        return all(map(_is_tuple, value[2:]))
    return value[0] in (".tuple", ".none")


@lru_cache(maxsize=4096)
def is_whole(value: Value) -> bool:
    if value[0] == "number":
        return bool(value[1].lstrip("-").isdigit())
    return (
        value[0] not in ("text", "/") and not is_view(value) and (value[0] in _LEAVES or all(map(is_whole, value[1:])))
    )


@lru_cache(maxsize=4096)
def _is_numeric(value: Value) -> bool:
    """True if the formula is a number, given that the names in it are numbers."""
    if value[0] in _LEAVES:
        return bool(value[0] != "text")
    return value[0] not in (".tuple", "?") and not is_view(value) and all(map(_is_numeric, value[1:]))


def size_of(value: Value) -> int:
    """Return how many names, numbers and operations the formula has."""
    return 1 if value[0] in _LEAVES else 1 + sum(map(size_of, value[1:]))


def expression(value: Value) -> str:
    """Return the formula as a Python expression. `entry(x)` is the argument x as it was when the function began,
    `index(…)` a number that holds for whole numbers only, and `...` a value that is not known."""
    kind, *parts = value
    if kind in _LEAVES:
        return f"entry({parts[0]})" if kind == "entry" else str(parts[0])
    if kind == ".none":
        return "..."
    if kind in _CALLS:
        return f"{_CALLS[kind]}({', '.join(map(expression, parts))})"
    if kind == ".tuple":
        return f"({', '.join(map(expression, parts))}{',' if len(parts) == 1 else ''})"
    if kind.startswith(".axis"):
        return f"{expression(parts[0])}.shape[{kind[5:]}]"
    if is_view(value):
        return f"{expression(parts[0])}[{kind[6:]}]"
    operands = [_operand(part) for part in parts]
    if kind in ("?", ".if"):
        test, then, other = operands
        return f"{then} if {test} else {other}"
    if len(operands) == 1:
        return f"{_SIGNS[kind]}{operands[0]}"
    return f"{operands[0]} {_SIGNS.get(kind, kind)} {operands[1]}"


_CALLS = {".len": "len", ".min": "min", ".max": "max", ".whole": "index"}
_SIGNS = {".neg": "-", ".not": "not ", ".and": "and", ".or": "or"}


def _operand(value: Value) -> str:
    is_closed = value[0] in _LEAVES or value[0] in _CALLS or value[0] in (".none", ".tuple")
    return expression(value) if is_closed else f"({expression(value)})"

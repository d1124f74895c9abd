"""Fields of named tuples and members of enums, read from a source file."""

from __future__ import annotations

import ast
import keyword
import operator
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Type, Union

from . import files

Names = Tuple[str, ...]  # names of fields, or NAME=VALUE for an enum's members


def fields_for_file(path: str, class_name: str, newer_than: Optional[float] = None) -> Optional[Names]:
    """Return the fields of the only named tuple class of this name in the file, or NAME=VALUE for each member of an
    enum; None: they are not known."""
    tree = files.tree_of(path, newer_than)
    found = set() if tree is None else {names for node in ast.walk(tree) for names in _fields_of(node, class_name)}
    return found.pop() if len(found) == 1 else None


def _fields_of(node: ast.AST, class_name: str) -> List[Names]:
    if isinstance(node, ast.ClassDef) and node.name == class_name:
        bases = {base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases}
        if any(base in _ENUMS for base in bases):
            return _members_of(node)
        names = [s.target.id for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
        return [tuple(names)] if "NamedTuple" in bases else []
    if not isinstance(node, ast.Call) or len(node.args) != 2:
        return []
    maker = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    first, second = (_constant(argument) for argument in node.args)
    if first != class_name or maker not in ("namedtuple", "NamedTuple", "Enum", "IntEnum"):
        return []
    elements = getattr(node.args[1], "elts", [])
    pairs = [e.elts[0] if isinstance(e, (ast.Tuple, ast.List)) and e.elts else e for e in elements]
    listed: List[Any] = [_constant(pair) for pair in pairs]
    if isinstance(second, str):
        listed = second.replace(",", " ").split()
    if maker.endswith("Enum"):  # such as Enum("Side", "LEFT RIGHT")
        is_plain = listed and not node.keywords and all(isinstance(name, str) and name[0] != "_" for name in listed)
        is_plain = is_plain and len(set(listed)) == len(listed) and all(e is p for e, p in zip(elements, pairs))
        return [tuple(f"{name}={number}" for number, name in enumerate(listed, 1))] if is_plain else []
    relisted = [_constant(each.value) for each in node.keywords if each.arg in (None, "rename")]
    if not all(isinstance(name, str) for name in listed) or len(relisted) > 1 or None in relisted:
        return []
    return [tuple(_renamed(listed) if any(relisted) else map(str, listed))]


def _renamed(names: List[Any]) -> List[str]:
    """Return the names as collections.namedtuple(..., rename=True) changes them."""
    found: List[str] = []
    for number, name in enumerate(names):
        is_good = name.isidentifier() and not keyword.iskeyword(name) and name[0] != "_" and name not in found
        found.append(name if is_good else f"_{number}")
    return found


_ENUMS = {"Enum", "IntEnum", "Flag", "IntFlag", "StrEnum"}
_MIXED_IN = {"int", "float", "complex", "str"}
_Value = Union[int, float, complex, str, Tuple[Any, ...]]


def _members_of(node: ast.ClassDef) -> List[Names]:
    """Return the members as RED=1, GREEN=2; nothing if a value is no plain number or text, or the class may give its
    members other values."""
    bases = {base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases}
    if not bases <= _ENUMS | _MIXED_IN or any(_is_special(statement) for statement in node.body):
        return []
    found: Dict[str, _Value] = {}
    for statement in node.body:
        if not isinstance(statement, ast.Assign):
            continue
        value = _next(node, list(found.values())) if _is_auto(statement.value) else _plain(statement.value, found)
        if value is None:
            return []
        for name in statement.targets:
            if not isinstance(name, ast.Name):
                return []
            found[name.id] = value
    names = {
        value: name for name, value in reversed(list(found.items()))
    }  # the first name is the member, the others are aliases
    return [tuple(f"{name}={value!r}" for value, name in names.items())] if names else []


def _is_special(statement: ast.stmt) -> bool:
    """True for `def __new__`, which may set other values, and for `_order_ = …`, which is no member."""
    if isinstance(statement, ast.FunctionDef):
        return statement.name in ("__new__", "__init__")
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any(isinstance(t, ast.Name) and t.id[0] == t.id[-1] == "_" for t in targets)


def _plain(node: ast.AST, known: Mapping[str, _Value]) -> Optional[_Value]:
    """Return the value of a number, a text, a tuple of these, or the member of that name; None for others."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Tuple):
        parts = [_plain(part, known) for part in node.elts]
        return None if None in parts else tuple(parts)
    text = _constant(node)
    return text if isinstance(text, str) else _number(node)


def _is_auto(node: ast.AST) -> bool:
    """True for enum.auto()."""
    maker = getattr(node, "func", None)
    return isinstance(node, ast.Call) and "auto" in (getattr(maker, "attr", None), getattr(maker, "id", None))


def _next(node: ast.ClassDef, before: List[_Value]) -> Optional[int]:
    """Return the value of auto(): one more than the last value. Python versions agree on that only while the last value
    is the largest."""
    if any(isinstance(s, ast.FunctionDef) and s.name == "_generate_next_value_" for s in node.body):
        return None
    if any(word in ast.dump(base) for base in node.bases for word in ("Flag", "str", "Str")):
        return None
    numbers = [int(value) for value in before if isinstance(value, int)]
    if len(numbers) < len(before):
        return None
    return 1 if not numbers else numbers[-1] + 1 if numbers[-1] == max(numbers) else None


_NUMBERS = (bool, int, float, complex)
_OPERATORS: Dict[Type[ast.AST], Callable[..., Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.LShift: operator.lshift,
    ast.Pow: operator.pow,
}


_OPERANDS: Dict[Type[ast.AST], Tuple[str, ...]] = {ast.UnaryOp: ("operand",), ast.BinOp: ("left", "right")}


def _number(node: ast.AST) -> Optional[Union[int, float, complex]]:
    """Return the value of an expression that has only numbers: 3, -(2**40), 1 << 4; None for others."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, (int, float, complex)) and type(node.value) in _NUMBERS else None
    if isinstance(node, ast.Call):
        return _numpy_integer(node)
    operands = _OPERANDS.get(type(node))
    operation = getattr(node, "op", None)
    apply = _OPERATORS.get(type(operation)) if isinstance(operation, ast.AST) else None
    if not operands or apply is None:
        return None
    numbers = [_number(getattr(node, name)) for name in operands]
    is_long = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Pow, ast.LShift))
    if any(n is None for n in numbers) or (is_long and not 0 <= numbers[1] <= 64):  # type: ignore[operator]
        return None
    try:
        value = apply(*numbers)
    except (TypeError, OverflowError, ZeroDivisionError):
        return None
    return value if type(value) in _NUMBERS and abs(value) < 1 << 64 else None


def _numpy_integer(node: ast.Call) -> Optional[int]:
    """Return the value of np.int8(-1) and its like; None for others."""
    func = node.func
    if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Name):
        return None
    name = func.attr
    bits = name.lstrip("u")[3:] if name.lstrip("u").startswith("int") else ""
    value = _number(node.args[0]) if len(node.args) == 1 and not node.keywords else None
    if func.value.id not in ("np", "numpy") or bits not in ("8", "16", "32", "64") or not isinstance(value, int):
        return None
    low, high = (0, 1 << int(bits)) if name[0] == "u" else (-1 << int(bits) - 1, 1 << int(bits) - 1)
    return value if low <= value < high else None


def _constant(node: ast.AST) -> object:
    return node.value if isinstance(node, ast.Constant) else None

"""What a source file says of its named tuples and enums."""

from __future__ import annotations

import ast
from typing import List, Optional

from . import source_flow


def fields_for_file(path: str, class_name: str, newer_than: Optional[float] = None) -> Optional[str]:
    """The fields of the one named tuple class of this name in the file, or NAME=VALUE of an enum's members, a space
    between them; None: not told."""
    tree = source_flow.tree_of(path, newer_than)
    found = set() if tree is None else {text for node in ast.walk(tree) for text in _fields_of(node, class_name)}
    return found.pop() if len(found) == 1 else None


def _fields_of(node: ast.AST, class_name: str) -> List[str]:
    if isinstance(node, ast.ClassDef) and node.name == class_name:
        bases = {base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases}
        if any(base in _ENUMS for base in bases):
            return _members_of(node)
        names = [s.target.id for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
        return [" ".join(names)] if "NamedTuple" in bases else []
    if not isinstance(node, ast.Call) or len(node.args) != 2:
        return []
    maker = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    first, second = (_constant(argument) for argument in node.args)
    if maker not in ("namedtuple", "NamedTuple") or first != class_name:
        return []
    if isinstance(second, str):
        return [" ".join(second.replace(",", " ").split())]
    elements = getattr(node.args[1], "elts", [])
    pairs = [e.elts[0] if isinstance(e, (ast.Tuple, ast.List)) and e.elts else e for e in elements]
    names = [_constant(pair) for pair in pairs]
    return [" ".join(map(str, names))] if all(isinstance(name, str) for name in names) else []


_ENUMS = {"Enum", "IntEnum", "Flag", "IntFlag"}


def _members_of(node: ast.ClassDef) -> List[str]:
    """RED=1 GREEN=2; nothing where a value is no plain number."""
    found = {}
    for statement in node.body:
        if not isinstance(statement, ast.Assign):
            continue
        try:
            value = ast.literal_eval(statement.value)
        except ValueError:
            return []
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            return []
        for name in statement.targets:
            if not isinstance(name, ast.Name):
                return []
            found[name.id] = value
    names = {
        value: name for name, value in reversed(list(found.items()))
    }  # the first name is the member, others aliases
    return [" ".join(f"{name}={value!r}" for value, name in names.items())] if names else []


def _constant(node: ast.AST) -> object:
    return node.value if isinstance(node, ast.Constant) else None

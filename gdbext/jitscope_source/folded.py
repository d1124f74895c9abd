"""Variables whose location may hold a value computed from them. If a variable gets one of several constants and one
statement reads it, LLVM computes the statement's result for each constant in advance, and then describes the result as
the variable (LLVM 15 to 20, InstCombinerImpl::foldOpIntoPhi): for `x = 0.5 if a else 2.0` and `return x / 2`, the debug
information says that x is 0.25 or 1.0. LLVM also does so with a value that follows from a variable which is a constant
on one path, such as where a loop does not run: for `y = x / 8` and `return abs(y)`. Plain Python, usable outside of
GDB."""

from __future__ import annotations

import ast
from typing import Dict, FrozenSet, Iterator, List, Set, Union

from . import syntax

_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def chooses(value: ast.AST) -> bool:
    """True if an expression chooses between values, and one of them is a constant."""
    for node in syntax.all_nodes(value):
        parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else getattr(node, "values", [])
        if isinstance(node, (ast.IfExp, ast.BoolOp)) and any(is_constant(part) for part in parts):
            return True
    return False


def names(value: ast.AST) -> Set[str]:
    """Return the names that an expression reads."""
    return {node.id for node in syntax.all_nodes(value) if isinstance(node, ast.Name)}


def folded_names(function: Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]) -> FrozenSet[str]:
    """Return the names that perhaps only one statement reads, once the compiler has removed unused code and the
    branches that a decided test does not take."""
    uses = _Uses(function)
    return frozenset(name for name in uses.names if len(uses.of(name, set())) <= 1)


def is_constant(node: ast.AST) -> bool:
    """True if the expression reads nothing that may change."""
    return not any(isinstance(each, (ast.Name, ast.Attribute, ast.Subscript)) for each in syntax.all_nodes(node))


class _Uses:
    """The statements that read each name of a function. `names`: the function's names."""

    def __init__(self, function: Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]) -> None:
        self.names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        self._readers: Dict[str, Set[int]] = {}  # name -> statements that surely read it
        self._copies: Dict[str, Set[str]] = {}  # name -> names that it is assigned to unchanged
        body: List[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else list(function.body)
        for statement in body:
            self._statement(statement)

    def of(self, name: str, seen: Set[str]) -> Set[int]:
        """Return the statements that surely need the name's value. `seen`: names that were looked at."""
        seen.add(name)
        found = set(self._readers.get(name, ()))
        for target in self._copies.get(name, set()) - seen:
            found |= self.of(target, seen)
        return found

    def _statement(self, node: ast.AST) -> None:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Name):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            self._copies.setdefault(node.value.id, set()).update(
                target.id for target in targets if isinstance(target, ast.Name)
            )
        stores = [each for each in ast.walk(node) if isinstance(each, (ast.Subscript, ast.Attribute))]
        is_pure = isinstance(node, _ASSIGNMENTS) and not any(isinstance(each.ctx, ast.Store) for each in stores)
        if is_pure or any(isinstance(child, (ast.stmt, ast.ExceptHandler)) for child in ast.iter_child_nodes(node)):
            return
        for name in _surely_read(node):
            self._readers.setdefault(name, set()).add(id(node))


def _surely_read(node: ast.AST) -> Iterator[str]:
    """Yield the names whose values an expression needs whichever way its tests go."""
    if isinstance(node, ast.Name):
        yield node.id
    parts: List[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.IfExp):
        parts = []
    elif isinstance(node, (ast.BoolOp, ast.Compare)):
        parts = parts[:1]
    elif isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        parts = []
    for part in parts:
        yield from _surely_read(part)

"""Variables whose place may hold what is computed of them. Where a variable gets one of several constants and one
statement reads it, LLVM computes what that statement makes of each constant in advance, and goes on to call the result
the variable (LLVM 15 to 20, InstCombinerImpl::foldOpIntoPhi): of `x = 0.5 if a else 2.0` and `return x / 2`, it says
that x is 0.25 or 1.0. Plain Python, usable outside of GDB.
"""

from __future__ import annotations

import ast
from typing import Dict, FrozenSet, List, Set, Tuple, Union

from . import syntax

_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def chooses(value: ast.AST) -> bool:
    """Does an expression choose between values, one of them a constant?"""
    for node in syntax.all_nodes(value):
        parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else getattr(node, "values", [])
        if isinstance(node, (ast.IfExp, ast.BoolOp)) and any(_is_constant(part) for part in parts):
            return True
    return False


def folded_names(function: Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]) -> FrozenSet[str]:
    """The names that at most one statement of the function reads."""
    uses = _Uses(function)
    return frozenset(name for name in uses.readers if len(uses.of(name, set())) <= 1)


def _is_constant(node: ast.AST) -> bool:
    return not any(isinstance(each, (ast.Name, ast.Attribute, ast.Subscript)) for each in syntax.all_nodes(node))


class _Uses:
    def __init__(self, function: Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]) -> None:
        self.readers: Dict[str, Set[int]] = {}  # of a name: statements that read it and do not only assign names
        # And those that do, with what they assign; 0: it becomes that name's value as it is.
        self.makers: Dict[str, List[Tuple[int, FrozenSet[str]]]] = {}
        body: List[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else list(function.body)
        for statement in body:
            self._statement(statement)

    def of(self, name: str, seen: Set[str]) -> Set[int]:
        """The statements that need the name's value; an assignment does where its names are needed."""
        seen.add(name)
        found = set(self.readers[name])
        for statement, targets in self.makers.get(name, ()):
            needs = [self.of(target, seen) for target in targets - seen]
            if any(needs):
                found.update(*(needs if statement == 0 else [{statement}]))
        return found

    def _statement(self, node: ast.AST) -> None:
        inner = [child for child in syntax.children(node) if isinstance(child, (ast.stmt, ast.ExceptHandler))]
        inner += getattr(node, "cases", [])
        own = [each for child in syntax.children(node) if child not in inner for each in syntax.all_nodes(child)]
        own += [node] if isinstance(node, ast.expr) else []
        stored = {each.id for each in own if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        is_pure = isinstance(node, _ASSIGNMENTS) and not any(
            isinstance(each, (ast.Subscript, ast.Attribute)) and isinstance(each.ctx, ast.Store) for each in own
        )
        read = {each.id for each in own if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            read.add(node.target.id)
        for name in read | stored:
            self.readers.setdefault(name, set())
        for name in read:
            if is_pure:
                is_copy = isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Name)
                self.makers.setdefault(name, []).append((0 if is_copy else id(node), frozenset(stored)))
            else:
                self.readers[name].add(id(node))
        for child in inner:
            self._statement(child)

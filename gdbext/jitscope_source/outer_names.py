"""Names that a function takes from its module or that hold its nested functions, and names of a parallel loop's body
and of the function around it."""

from __future__ import annotations

import ast
import symtable
from functools import lru_cache
from typing import FrozenSet, Iterator, Optional, Set, Tuple

from . import files, syntax

_EXPRESSIONS = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)  # statements with array expressions


def globals_for_file(path: str, line: int, newer_than: Optional[float] = None) -> FrozenSet[str]:
    """Return the names that the innermost function around the line takes from its module; none if the file cannot be
    read, or was changed after `newer_than` (seconds, as time.time())."""
    tree = files.tree_of(path, newer_than)
    text = None if tree is None else files.text_of(path)
    return frozenset() if tree is None or text is None else _globals(text, _start(tree, line))


def is_enclosing(path: str, line: int, name: str, newer_than: Optional[float] = None) -> bool:
    """True if the innermost function around the line takes the name from a function around it; False if the file cannot
    be read, or was changed after `newer_than`."""
    tree = files.tree_of(path, newer_than)
    text = None if tree is None else files.text_of(path)
    table = None if tree is None or text is None else _table(text, _start(tree, line))
    return table is not None and name in table.get_frees()


def may_be_global(path: str, line: int, name: str, newer_than: Optional[float] = None) -> bool:
    """True if neither the function around the line nor a function around or within that one binds the name, so that a
    debugger of Python would find the module's; False if the file cannot be read, or was changed after `newer_than`."""
    tree = files.tree_of(path, newer_than)
    text = None if tree is None else files.text_of(path)
    if tree is None or text is None or _start(tree, line) is None:
        return False
    outermost = [n for n in tree.body if isinstance(n, ast.FunctionDef) and _first(n) <= line <= (n.end_lineno or 0)]
    # if there is no outermost function, the line is in a class
    return bool(outermost) and name not in _bound(text, outermost[0].name, outermost[0].lineno)


def _first(function: ast.FunctionDef) -> int:
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


@lru_cache(maxsize=32)
def _bound(text: str, name: str, line: int) -> FrozenSet[str]:
    """Return the names that the function at the module's top level binds, or one within it."""
    found: Set[str] = set()
    for table in symtable.symtable(text, "?", "exec").get_children():
        if (table.get_name(), table.get_lineno()) == (name, line):
            for each in (table, *_all(table)):
                found.update(symbol.get_name() for symbol in each.get_symbols() if symbol.is_local())
    return frozenset(found)


def _start(tree: ast.Module, line: int) -> Optional[tuple]:  # type: ignore[type-arg]
    """Return the name and the line of the `def` of the innermost function around the line."""
    found = None
    for node in ast.walk(tree):  # outer functions come first
        if isinstance(node, ast.FunctionDef):
            if _first(node) <= line <= (node.end_lineno or 0):
                found = (node.name, node.lineno)
    return found


@lru_cache(maxsize=32)
def _globals(text: str, start: Optional[tuple]) -> FrozenSet[str]:  # type: ignore[type-arg]
    table = _table(text, start)
    return frozenset() if table is None else frozenset(table.get_globals())


@lru_cache(maxsize=32)
def _table(text: str, start: Optional[tuple]) -> Optional[symtable.Function]:  # type: ignore[type-arg]
    """Return the names of the function that _start() has found; None: there is none, or several begin there."""
    tables = [t for t in _all(symtable.symtable(text, "?", "exec")) if (t.get_name(), t.get_lineno()) == start]
    return tables[0] if len(tables) == 1 and isinstance(tables[0], symtable.Function) else None


def _all(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _all(child)


def body_names(tree: ast.Module, line: int, header: int, lines: Tuple[int, ...]) -> Optional[Set[str]]:
    """Return the names that may not be the function's own variables on a line of the loop with this header. `lines`:
    the lines of the loop's threads. None: the source does not show them."""
    assigned = _assigned(tree, header, lines)
    return None if assigned is None else assigned | _hidden(tree, line, header)


def _hidden(tree: ast.Module, line: int, header: int) -> Set[str]:
    """Return the names of a function that was inlined, if the line is in it."""
    bodies, _ = syntax.bodies(tree)
    return {
        name
        for name, lines in bodies.items()
        if any(first <= line <= last and not first <= header <= last for first, last in lines)
    }


def _assigned(tree: ast.Module, header: int, lines: Tuple[int, ...]) -> Optional[Set[str]]:
    """Return the names that the loop or the array expression assigns, with those assigned between it and the threads'
    lines, because Numba may join it with other loops. None: the source does not show them."""
    found = [n for n in ast.walk(tree) if isinstance(n, (ast.For, *_EXPRESSIONS)) and n.lineno == header]
    found = [n for n in found if isinstance(n, ast.For)] or found  # an expression may follow on the loop's line
    if len(found) != 1:
        return None
    first, last = min(header, *lines), max(found[0].end_lineno or header, *lines)
    named = (n for n in ast.walk(tree) if isinstance(n, ast.Name) and first <= n.lineno <= last)
    return {name.id for name in named if not isinstance(name.ctx, ast.Load)}


def is_variable(path: str, line: int, name: str, newer_than: Optional[float]) -> bool:
    """True if the innermost function around the line has a variable of this name."""
    tree = files.tree_of(path, newer_than)
    around = [
        node
        for node in ast.walk(tree or ast.Module([], []))
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    if not around:
        return False
    function = max(around, key=lambda node: node.lineno)
    if name in {each.arg for each in syntax.arguments(function.args)}:
        return True
    own = syntax.own_nodes(function.body)
    return any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in own)


def inner_names(path: str, line: int, newer_than: Optional[float] = None) -> FrozenSet[str]:
    """Return the names that only functions bind which are nested in the function around the line, and which the line is
    not in; none if the file cannot be read, or was changed after `newer_than`."""
    tree = files.tree_of(path, newer_than)
    return frozenset() if tree is None else _inner_names(tree, line)


@lru_cache(maxsize=256)
def _inner_names(tree: ast.Module, line: int) -> FrozenSet[str]:
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))]
    around = [node for node in functions if node.lineno <= line <= (node.end_lineno or 0)]
    if not around:
        return frozenset()
    inner = [node for node in ast.walk(around[0]) if isinstance(node, (ast.FunctionDef, ast.Lambda))]
    named = {name for node in around for name in _own(node)}
    return frozenset({name for node in inner if node not in around for name in _own(node, bound=True)} - named)


def _own(function: ast.AST, bound: bool = False) -> Iterator[str]:
    """Yield the names that the function's own code has; if `bound`, only those that it binds."""
    assert isinstance(function, (ast.FunctionDef, ast.Lambda))
    body = function.body if isinstance(function.body, list) else [function.body]
    yield from (each.arg for each in syntax.arguments(function.args))
    for node in syntax.own_nodes(body):
        yield from syntax.bound_names(node)
        if isinstance(node, ast.Name) and not bound:
            yield node.id


def is_nested_function(path: str, line: int, name: str, newer_than: Optional[float]) -> bool:
    """True if the innermost function around the line that binds the name has nested functions and lambdas as its only
    values."""
    tree = files.tree_of(path, newer_than)
    around = [
        node
        for node in ast.walk(tree or ast.Module([], []))
        if isinstance(node, ast.FunctionDef) and _first(node) <= line <= (node.end_lineno or 0)
    ]
    for function in sorted(around, key=lambda node: -node.lineno):
        values = list(_values(function, name))
        if values:
            return all(isinstance(value, (ast.FunctionDef, ast.Lambda)) for value in values)
    return False


def _values(function: ast.FunctionDef, name: str) -> Iterator[Optional[ast.AST]]:
    """Yield what the function binds the name to: a nested function, a lambda, or None for another value."""
    nodes = [*syntax.arguments(function.args), *syntax.own_nodes(function.body)]
    assigned = [n for n in nodes if isinstance(n, ast.Assign) and isinstance(n.value, ast.Lambda)]
    lambdas = {target: node.value for node in assigned for target in node.targets}
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            if node.name == name:
                yield None if node.decorator_list else node
        elif isinstance(node, ast.Name):
            if node.id == name and not isinstance(node.ctx, ast.Load):
                yield lambdas.get(node)
        elif isinstance(node, ast.arg):
            if node.arg == name:
                yield None
        elif name in (getattr(node, "name", None), getattr(node, "asname", None)):  # a class, an exception, an import
            yield None

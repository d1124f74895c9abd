"""The expressions that a line of a source file subscripts: docs/schema/subscripts.json, which
program/source/subscripts.h reads."""

from __future__ import annotations

import ast
from typing import Any, Dict, Iterator, List, Optional, Set

from . import files

_LONGEST = 60  # characters of an expression, at most
_OF_LAYOUT = ("shape", "strides", "size", "ndim", "nbytes", "itemsize", "dtype")  # attributes that read no element


def subscripts_for_file(path: str, line: int, newer_than: Optional[float] = None) -> Optional[List[Dict[str, Any]]]:
    """Return each array that the line subscripts, with its indices; None if the file cannot be read, or was changed
    after `newer_than` (seconds, as time.time())."""
    tree = files.tree_of(path, newer_than)
    source = None if tree is None else files.text_of(path)
    if tree is None or source is None:
        return None
    return [entry(node, source) for node in _subscripts(tree, line)]


def whole_for_file(path: str, line: int, newer_than: Optional[float] = None) -> List[Dict[str, Any]]:
    """Return, as subscripts without an index, each variable whose elements the line may access in another way, such as
    an array in a loop's header. Like subscripts_for_file(), but empty if the file cannot be read."""
    tree = files.tree_of(path, newer_than)
    names = {} if tree is None else {name: None for name in _whole(tree, line)}  # each once, in the source's order
    return [{"array": name, "indices": []} for name in names]


def _subscripts(tree: ast.AST, line: int) -> Iterator[ast.Subscript]:
    within: Set[ast.AST] = set()  # such as a[i] in a[i][j]
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and node.lineno <= line <= (node.end_lineno or 0) and node not in within:
            within.update(_chain(node))
            yield node


def _attributes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a.b.c, then a.b and a."""
    yield node
    while isinstance(node, ast.Attribute):
        node = node.value
        yield node


def _whole(tree: ast.AST, line: int) -> Iterator[str]:
    """Yield the variables, and attributes of them, that the line uses without a subscript."""
    others: Set[ast.AST] = set()  # nodes that are none, or parts of one
    for subscript in _subscripts(tree, line):
        others.update(_attributes(list(_chain(subscript))[-1].value))
    for node in ast.walk(tree):  # an expression comes before what it consists of
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            others.add(node.func)
        if isinstance(node, (ast.Assign, ast.AnnAssign)):  # a name is set without an access; that of += is not
            others.update(node.targets if isinstance(node, ast.Assign) else [node.target])
        if not isinstance(node, (ast.Name, ast.Attribute)) or node.lineno != line or node in others:
            continue
        others.update(_attributes(node))
        name = _name(node)
        if name is not None and not (isinstance(node, ast.Attribute) and node.attr in _OF_LAYOUT):
            yield name


def _chain(node: ast.Subscript) -> Iterator[ast.Subscript]:
    """Yield a[i][j], then a[i]."""
    inner: ast.expr = node
    while isinstance(inner, ast.Subscript):
        yield inner
        inner = inner.value


def entry(node: ast.Subscript, source: str) -> Dict[str, Any]:
    """Return the subscript as docs/schema/subscripts.json has it. `source`: the text of its file."""
    chain = list(_chain(node))
    indices = [_index(item, source) for subscript in reversed(chain) for item in _items(subscript)]
    is_view = any(
        isinstance(item, ast.Slice) for subscript in chain[1:] for item in _items(subscript)
    )  # as in a[1:][i]
    return {"array": None if is_view else _name(chain[-1].value), "indices": indices}


def _name(node: ast.expr) -> Optional[str]:
    """Return a, or a.b.c; None for another expression."""
    if isinstance(node, ast.Attribute):
        around = _name(node.value)
        return None if around is None else f"{around}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else None


def _items(node: ast.Subscript) -> List[ast.AST]:
    key: ast.AST = node.slice
    key = getattr(key, "value", key) if type(key).__name__ == "Index" else key  # for Python 3.8
    return list(key.elts) if isinstance(key, ast.Tuple) else [key]


def _index(node: ast.AST, source: str) -> Dict[str, str]:
    text = " ".join((ast.get_source_segment(source, node) or "…").split())
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    if isinstance(node, ast.Name):
        return {"kind": "name", "text": node.id}
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        if isinstance(node, ast.Slice):
            return {"kind": "slice", "text": text}
        is_other = isinstance(node, ast.Starred) or type(node).__name__ == "ExtSlice"
        return {"kind": "other" if is_other else "expression", "text": text}
    return {"kind": "constant", "text": str(value)} if type(value) is int else {"kind": "other", "text": text}

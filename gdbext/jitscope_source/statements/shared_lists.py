"""Lists that all iterations of a parallel loop extend, and dicts that they write to, which is not thread-safe.

Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Iterator, List, NamedTuple, Optional

from .. import syntax

_EXTENDING = frozenset(("append", "extend", "insert"))
_PARALLEL = "prange"


class Change(NamedTuple):
    """A call that extends a list, or a store to an item. `name`: the variable; None: it is the list of a
    comprehension."""

    name: Optional[str]
    method: str  # "": a store to an item, as in d[k] = v, which changes the size of a dict
    line: int
    loop: int  # line of the parallel loop


def changes(function: ast.AST) -> Iterator[Change]:
    """Yield the calls in the function's parallel loops by which lists from outside of the loop are extended, and the
    stores to items of variables from there."""
    for node in syntax.all_nodes(function):
        if isinstance(node, ast.For) and _is_parallel(node.iter):
            yield from _in_loop(node)
        elif isinstance(node, ast.ListComp) and _is_parallel(node.generators[0].iter):
            yield Change(None, "append", node.lineno, node.lineno)


def _in_loop(loop: ast.For) -> Iterator[Change]:
    nodes: List[ast.AST] = [each for statement in loop.body for each in syntax.all_nodes(statement)]
    own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            if node.value.id not in own:
                yield Change(node.value.id, "", node.lineno, loop.lineno)
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        container = node.func.value
        if node.func.attr in _EXTENDING and isinstance(container, ast.Name) and container.id not in own:
            yield Change(container.id, node.func.attr, node.lineno, loop.lineno)


def _is_parallel(call: ast.expr) -> bool:
    if not isinstance(call, ast.Call):
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", None)
    return name == _PARALLEL

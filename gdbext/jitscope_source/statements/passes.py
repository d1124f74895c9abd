"""The variables that a statement passes to a function: `passes` of docs/schema/flow.json.

Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Any, Dict, Iterator, List, Set

from .. import syntax


def facts(body: List[ast.stmt], shared: Set[int]) -> List[Dict[str, Any]]:
    """Return what the statements of a function's body pass. `shared`: lines with several statements, which are left
    out, since code has only a line."""
    found: List[Dict[str, Any]] = []
    for node in syntax.own_nodes(list(body)):
        if isinstance(node, ast.stmt) and not isinstance(node, syntax.SCOPES):
            found += _passed(node, shared)
    return found


def _passed(statement: ast.stmt, shared: Set[int]) -> Iterator[Dict[str, Any]]:
    """Yield the variables that the statement, or the header of a compound one, passes by its only call; a method's name
    begins with a dot, and its first argument is the object. With a second
    call the code of the function could be run by that, which may have got the function as an argument. A variable that
    the statement itself assigns is left out."""
    own = [each for part in _header(statement) for each in syntax.all_nodes(part)]
    calls = [each for each in own if isinstance(each, ast.Call)]
    if len(calls) != 1 or any(isinstance(each, (*syntax.SCOPES, *syntax.COMPREHENSIONS)) for each in own):
        return
    (call,) = calls
    first, last = statement.lineno, max(getattr(each, "end_lineno", 0) or 0 for each in own)
    is_plain = not call.keywords and not any(isinstance(each, ast.Starred) for each in call.args)
    if not is_plain or not shared.isdisjoint(range(first, last + 1)):
        return
    if isinstance(call.func, ast.Name):
        name, arguments = call.func.id, call.args
    elif isinstance(call.func, ast.Attribute):
        name, arguments = f".{call.func.attr}", [call.func.value, *call.args]
    else:
        return
    assigned = syntax.all_bound_names(statement)
    for number, argument in enumerate(arguments):
        if isinstance(argument, ast.Name) and argument.id not in assigned:
            yield {"first": first, "last": last, "function": name, "argument": number, "name": argument.id}


def _header(statement: ast.stmt) -> List[ast.AST]:
    """Return the parts of the statement that are no statements."""
    return [each for each in syntax.children(statement) if not isinstance(each, (ast.stmt, ast.excepthandler))]

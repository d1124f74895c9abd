"""Arrays to which the loops of a Python function may store: `stores` of docs/schema/flow.json.

Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from .. import syntax

ELEMENT, CALL, NAME = "element", "call", "name"
Loop = Union[ast.For, ast.AsyncFor, ast.While]

# Functions and methods that store neither to their arguments nor to the object that they are called on.
_READING = frozenset(
    "len range prange enumerate zip min max abs sum round int float bool complex str tuple list set dict print "
    "divmod pow isinstance hash ord chr any all sorted reversed literal_unroll".split()
)
_MODULES = frozenset(("np", "numpy", "math", "cmath"))
_WRITING_FUNCTIONS = frozenset("copyto put place putmask fill_diagonal shuffle".split())  # functions of NumPy
_WRITING_METHODS = frozenset("fill sort partition put itemset resize setfield byteswap".split())
# Methods of arrays, containers and texts. Any other method may be a user's class's, and assign attributes.
_READING_METHODS = frozenset(
    "all any argmax argmin argpartition argsort astype choose clip compress conj conjugate copy cumprod cumsum "
    "diagonal dot flatten item max mean min nonzero prod ptp ravel repeat reshape round searchsorted squeeze std sum "
    "swapaxes take tobytes tolist trace transpose var view "
    "count get index items keys values union intersection difference isdisjoint issubset issuperset "
    "join split strip startswith endswith find format lower upper".split()
)


def facts(body: List[ast.stmt]) -> List[Dict[str, Any]]:
    """Return the possible targets of stores by the statements of a function's body: of each loop, and of the whole."""
    found = []
    for loop in _loops(body):
        last = loop.body[-1]
        found += _stores(loop.body, loop.lineno, getattr(last, "end_lineno", None) or last.lineno)
    return found + _stores(body, 0, 0)


def _loops(body: List[ast.stmt]) -> Iterator[Loop]:
    for node in syntax.own_nodes(body):
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            yield node


def _stores(body: List[ast.stmt], loop_first: int, loop_last: int) -> List[Dict[str, Any]]:
    """Describe the stores of each statement of the body, inner statements included."""
    return [
        {
            "loop_first": loop_first,
            "loop_last": loop_last,
            "first": node.lineno,  # type: ignore[attr-defined]
            "last": getattr(node, "end_lineno", None) or node.lineno,  # type: ignore[attr-defined]
            "name": name,
            "kind": kind,
        }
        for node in syntax.own_nodes([*body])
        for name, kind in _stored(node)
    ]


def _stored(node: ast.AST) -> Iterator[Tuple[Optional[str], str]]:
    """Yield names of variables, None for a value that no variable is known to hold, and how their elements are stored
    to."""
    targets: List[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AugAssign):
        targets = [node.target]
        if isinstance(node.target, ast.Name):
            yield node.target.id, NAME  # it is in place if the target is an array
    elif isinstance(node, (ast.AnnAssign, ast.For, ast.AsyncFor)):
        targets = [node.target]
    elif isinstance(node, ast.Call):
        for name in _written(node):
            yield name, CALL
    for target in targets:
        for each in _parts(target):
            if isinstance(each, (ast.Subscript, ast.Attribute)):
                yield root(each), ELEMENT


def _parts(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for each in target.elts:
            yield from _parts(each)
    elif isinstance(target, ast.Starred):
        yield from _parts(target.value)
    else:
        yield target


def root(node: ast.expr) -> Optional[str]:
    """Return the variable from whose value the elements are reached: `a` for a[i].T[0]."""
    while True:
        if isinstance(node, (ast.Subscript, ast.Attribute)):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        else:
            return node.id if isinstance(node, ast.Name) else None


def _written(call: ast.Call) -> List[str]:
    """Return the arrays that a call is passed, and may store to."""
    passed = [*call.args, *(keyword.value for keyword in call.keywords)]
    names = [name for each in passed for name in [root(each)] if name is not None]
    function = call.func
    if isinstance(function, ast.Name):
        return [] if function.id in _READING else names
    if not isinstance(function, ast.Attribute):
        return names
    if isinstance(function.value, ast.Name) and function.value.id in _MODULES:
        out = [name for each in call.keywords if each.arg == "out" for name in [root(each.value)] if name is not None]
        return names if function.attr in _WRITING_FUNCTIONS else out
    owner = root(function.value)
    if function.attr in _WRITING_METHODS and owner is not None:
        return [owner]
    return [] if function.attr in _READING_METHODS else [*([owner] if owner is not None else []), *names]

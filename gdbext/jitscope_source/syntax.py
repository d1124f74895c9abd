"""Small functions on Python's syntax trees. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
import bisect
from functools import lru_cache
from typing import Dict, FrozenSet, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple, Type, Union

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
SCOPES = (*FUNCTIONS, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
INNER = (*SCOPES, *COMPREHENSIONS, ast.NamedExpr)
YIELDS = (ast.Yield, ast.YieldFrom)


def arguments(arguments: ast.arguments) -> List[ast.arg]:
    every = [*getattr(arguments, "posonlyargs", []), *arguments.args, *arguments.kwonlyargs]
    return every + [one for one in (arguments.vararg, arguments.kwarg) if one is not None]


# Fields without nodes, except signs (`Load`, `Add`), which no caller needs.
_LEAVES = frozenset(("arg", "attr", "conversion", "ctx", "id", "kind", "level", "module", "op", "ops", "type_comment"))


class _Branches(Dict[Type[ast.AST], Tuple[str, ...]]):
    """The fields that hold nodes, by kind of node, each found once."""

    def __missing__(self, kind: Type[ast.AST]) -> Tuple[str, ...]:
        self[kind] = found = tuple(field for field in kind._fields if field not in _LEAVES)
        return found


_branches = _Branches()


def children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children like ast.iter_child_nodes(), without signs, in half the time."""
    for field in _branches[type(node)]:
        value = getattr(node, field, None)
        if isinstance(value, list):
            yield from (each for each in value if isinstance(each, ast.AST))
        elif isinstance(value, ast.AST):
            yield value


def all_nodes(root: ast.AST) -> List[ast.AST]:
    """Return all nodes, the root first. This is one loop over the fields, because calls of `children` cost more than
    its work."""
    found = [root]
    for node in found:
        for field in _branches[type(node)]:
            value = getattr(node, field, None)
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += [each for each in value if isinstance(each, ast.AST)]
    return found


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield all nodes of a function except those of the scopes inside it; a name that such a scope binds in the
    function is included."""
    stack: List[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        yield node
        # its targets are its own, but assignment expressions in it bind the function's names
        if isinstance(node, COMPREHENSIONS):
            stack.extend(n for n in all_nodes(node) if isinstance(n, ast.NamedExpr))
        elif not isinstance(node, SCOPES):
            stack.extend(children(node))


def comprehended(nodes: Iterable[ast.AST]) -> Set[Tuple[str, int, int]]:
    """Return the names that comprehensions go over, with their lines. They are no variables of the function, though its
    code may hold them (Python 3.12 and later)."""
    return {
        (name, node.lineno, getattr(node, "end_lineno", None) or node.lineno)
        for node in nodes
        if isinstance(node, COMPREHENSIONS)
        for each in node.generators
        for target in all_nodes(each.target)
        for name in bound_names(target)
    }


@lru_cache(maxsize=32)
def bodies(tree: ast.Module) -> Tuple[Dict[str, List[Tuple[int, int]]], bool]:
    """Return the lines of the functions of a file by the names that they bind, and True if the file passes `inline=`,
    so that any of them may be inlined where it is called."""
    found: Dict[str, List[Tuple[int, int]]] = {}
    nodes = all_nodes(tree)
    for node in nodes:
        if isinstance(node, FUNCTIONS):
            body = [node.body] if isinstance(node, ast.Lambda) else node.body
            names = {one.arg for one in arguments(node.args)}
            names.update(name for each in own_nodes(body) for name in bound_names(each))
            for name in names:
                found.setdefault(name, []).append(_lines_of(node))
    return found, any(isinstance(node, ast.keyword) and node.arg == "inline" for node in nodes)


_CODE_NAMES = {
    ast.Lambda: "<lambda>",
    ast.ListComp: "<listcomp>",
    ast.SetComp: "<setcomp>",
    ast.DictComp: "<dictcomp>",
    ast.GeneratorExp: "<genexpr>",
}


def inner_names(function: ast.AST) -> List[Tuple[str, str, int, int]]:
    """Return the variables of the functions in this one, and of comprehensions, which are functions before Python 3.12:
    the function as its code object is named, the name, and its lines."""
    found = set()
    for node in all_nodes(function)[1:]:
        code = node.name if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else _CODE_NAMES.get(type(node))
        if code is None:
            continue
        if isinstance(node, COMPREHENSIONS):
            names = set(all_bound_names(*(each.target for each in node.generators)))
        else:
            body = [node.body] if isinstance(node, ast.Lambda) else node.body  # type: ignore[attr-defined]
            names = {one.arg for one in arguments(node.args)}  # type: ignore[attr-defined]
            for each in own_nodes(body):
                names.update(bound_names(each))
            for each in own_nodes(body):
                names.difference_update(each.names if isinstance(each, (ast.Global, ast.Nonlocal)) else ())
        first: int = node.lineno  # type: ignore[attr-defined]
        found |= {(code, name, first, getattr(node, "end_lineno", None) or first) for name in names}
    return sorted(found)


def outer_names(tree: ast.Module, function: ast.AST) -> List[str]:
    """Return the variables of the functions around this one that it uses."""
    around = _nesting(tree).around.get(_lines_of(function))
    if not around:
        return []
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    places = bodies(tree)[0]
    return sorted(name for name in used if any(lines in around for lines in places.get(name, ())))


def lines_within(tree: ast.Module, first: int, last: int) -> FrozenSet[Tuple[int, int]]:
    """Return the lines of the functions that are within these, but not those that have all of them."""
    starts = _nesting(tree).starts
    found = starts[bisect.bisect_left(starts, (first, 0)) : bisect.bisect_right(starts, (last, last))]
    return frozenset(lines for lines in found if lines[1] <= last and lines != (first, last))


class _Nesting(NamedTuple):
    """The functions of a file by their lines, for questions about one among thousands of functions."""

    starts: List[Tuple[int, int]]  # all lines, by the first
    around: Dict[Tuple[int, int], List[Tuple[int, int]]]  # lines -> those of the functions around them, where there are


@lru_cache(maxsize=32)
def _nesting(tree: ast.Module) -> _Nesting:
    starts = sorted({lines for places in bodies(tree)[0].values() for lines in places})
    every = {_lines_of(node) for node in all_nodes(tree) if isinstance(node, FUNCTIONS)}
    around: Dict[Tuple[int, int], List[Tuple[int, int]]] = {}
    open_ones: List[Tuple[int, int]] = []
    for first, last in sorted(every, key=lambda lines: (lines[0], -lines[1])):
        while open_ones and open_ones[-1][1] < first:
            open_ones.pop()
        found = [lines for lines in open_ones if last <= lines[1]]
        if found:
            around[first, last] = found
        open_ones.append((first, last))
    return _Nesting(starts, around)


def _lines_of(function: ast.AST) -> Tuple[int, int]:
    first: int = function.lineno  # type: ignore[attr-defined]
    return first, getattr(function, "end_lineno", None) or first


def bound_names(node: ast.AST) -> List[str]:
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, (ast.expr, ast.arguments, ast.arg)):
        return [node.target.id] if isinstance(node, ast.NamedExpr) else []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.split(".")[0] for alias in node.names]
    if isinstance(node, ast.ExceptHandler):
        return [node.name] if node.name else []
    if type(node).__name__ in ("MatchAs", "MatchStar", "MatchMapping"):
        name = getattr(node, "name", None) or getattr(node, "rest", None)
        return [name] if isinstance(name, str) else []
    return []


_BODIES = frozenset(("body", "orelse", "finalbody", "handlers", "cases"))
_TARGETS = frozenset(("targets", "target", "items", "pattern"))


def all_bound_names(*roots: ast.AST) -> List[str]:
    """Return the names that the nodes and the nodes in them bind, each as often as they bind it."""
    return [name for root in roots for node in all_nodes(root) for name in bound_names(node)]


def header_names(statement: ast.AST, binds_within: bool) -> FrozenSet[str]:
    """Return the names that a statement itself binds, without those of the statements in it. `binds_within`: its
    expressions may bind names, too."""
    found = set(bound_names(statement))
    for field in _branches[type(statement)]:
        value = getattr(statement, field, None)
        for each in value if isinstance(value, list) else [value]:
            if (field in _TARGETS or binds_within and field not in _BODIES) and isinstance(each, ast.AST):
                found.update(all_bound_names(each))
    return frozenset(found)


def first_inner_line(statement: ast.stmt) -> Optional[int]:
    if type(statement).__name__ == "Match":
        first: int = statement.cases[0].pattern.lineno  # type: ignore[attr-defined]
        return first
    body = getattr(statement, "body", None)
    if not isinstance(body, list) or not body:
        return None
    line: int = body[0].lineno
    return line


def literal(value: Optional[ast.AST]) -> Optional[str]:
    negative = False
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, (ast.USub, ast.UAdd)):
        negative = isinstance(value.op, ast.USub)
        value = value.operand
    if not isinstance(value, ast.Constant) or not isinstance(value.value, (int, float)):
        return None
    number = value.value + 0 if isinstance(value.value, int) else value.value
    if number != number or number in (float("inf"), float("-inf")) or abs(number) >= 2**63:
        return None
    return ("-" if negative else "") + repr(number)


def shape_of(node: Optional[ast.AST]) -> Optional[ast.Name]:
    """Return the name in `name.shape`, or None."""
    is_shape = isinstance(node, ast.Attribute) and node.attr == "shape"
    return node.value if is_shape and isinstance(node.value, ast.Name) else None  # type: ignore[union-attr]


def held(value: Optional[ast.AST]) -> Optional[Tuple[str, str]]:
    """Return (kind, detail) of an assigned value that has no place: "none", "ellipsis" and "empty" (the tuple) without
    a detail, "text" with the str, "copy" and "item" with the variable, "call" with the function or method."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return ("text", value.value) if _is_plain(value.value) else None
    if isinstance(value, ast.Constant) and (value.value is None or value.value is Ellipsis):
        return "none" if value.value is None else "ellipsis", ""
    if isinstance(value, ast.Tuple) and not value.elts:
        return "empty", ""
    if isinstance(value, ast.Name):
        return "copy", value.id
    if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name):
        return "item", value.value.id
    if isinstance(value, ast.Call) and isinstance(value.func, (ast.Name, ast.Attribute)):
        return "call", value.func.id if isinstance(value.func, ast.Name) else value.func.attr
    return None


def _is_plain(text: str) -> bool:
    """True if JSON and C can hold the text: it has no surrogates and no NUL."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def maker(value: Optional[ast.AST]) -> Optional[str]:
    """Return the maker of the value, for names/numba/array_makers.h: "numpy.zeros", "operator"; None for other
    values."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        owner = value.func.value
        return f"numpy.{value.func.attr}" if isinstance(owner, ast.Name) and owner.id in ("np", "numpy") else None
    computes = isinstance(value, ast.BinOp) or (isinstance(value, ast.UnaryOp) and not isinstance(value.op, ast.UAdd))
    return "operator" if computes else None


def decorators(function: Union[ast.FunctionDef, ast.AsyncFunctionDef]) -> Set[str]:
    """Return the last part of each of a function's decorators' names: "njit" for `@numba.njit(debug=True)`."""
    found = [each.func if isinstance(each, ast.Call) else each for each in function.decorator_list]
    return {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in found}


_COMPILERS = ("jit", "njit")


def asks(function: ast.AST) -> str:
    """Return how the function's user can ask for level steps: js_asks of program/source/flow.h."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return "nothing"
    names = decorators(function)
    if "stencil" in names:
        return "nothing"
    return "name" if names.isdisjoint(_COMPILERS) else "decorator"


def counter(loop: ast.AST, bound: Dict[str, int]) -> Optional[str]:
    """Return the name that every iteration of a loop first increases by the same number, and that nothing else in the
    loop assigns (`bound`: how often each name is assigned)."""
    first = loop.body[0]  # type: ignore[attr-defined]
    if not isinstance(first, ast.AugAssign) or not isinstance(first.op, (ast.Add, ast.Sub)):
        return None
    number = literal(first.value)
    is_step = number is not None and number.lstrip("-").isdigit() and int(number) != 0
    name = first.target.id if isinstance(first.target, ast.Name) else ""
    return name if is_step and bound.get(name) == 1 else None


def sums(loop: ast.For) -> List[Tuple[str, str, ast.expr]]:
    """Return names to which each iteration of a loop adds or subtracts a value once, and which nothing else in it
    assigns, with the sign and the value."""
    bound = all_bound_names(*loop.body)
    found: List[Tuple[str, str, ast.expr]] = []
    for statement in loop.body:
        if any(isinstance(node, ast.Continue) for node in all_nodes(statement)):
            break  # a `continue` or `break` may skip the statements that follow
        if not isinstance(statement, ast.AugAssign) or not isinstance(statement.target, ast.Name):
            continue
        sign = {ast.Add: "+", ast.Sub: "-"}.get(type(statement.op))
        if sign is not None and bound.count(statement.target.id) == 1:
            found.append((statement.target.id, sign, statement.value))
    return found


def limit(loop: ast.While, counter: str) -> Optional[int]:
    """Return the limit of a loop whose first statement adds 1 to the counter, and that only its second statement ends:
    `if counter > limit: break`."""
    first, second = loop.body[0], loop.body[1] if len(loop.body) > 1 else None
    if not is_true(loop.test) or loop.orelse or not isinstance(second, ast.If) or second.orelse:
        return None
    loops = [each for each in own_nodes(loop.body) if isinstance(each, (ast.For, ast.AsyncFor, ast.While))]
    others = {id(node) for each in loops for inner in each.body for node in all_nodes(inner)}
    breaks = [node for node in own_nodes(loop.body) if isinstance(node, ast.Break) and id(node) not in others]
    test = second.test
    is_counted = isinstance(first, ast.AugAssign) and isinstance(first.op, ast.Add) and literal(first.value) == "1"
    if not is_counted or breaks != second.body or not isinstance(test, ast.Compare):
        return None
    number = literal(test.comparators[0])
    is_name = isinstance(test.left, ast.Name) and test.left.id == counter
    is_limit = len(test.ops) == 1 and isinstance(test.ops[0], ast.Gt) and is_name
    return int(number) if is_limit and number is not None and number.lstrip("-").isdigit() else None


def is_true(test: Optional[ast.AST]) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)

"""Statements of a function that cannot raise, so that no handler runs in the state before them: numbers, copies, tests
of numbers. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
import re
from typing import Callable, Collection, Dict, FrozenSet, Iterator, List, Optional, Pattern, Tuple

from .. import syntax
from ..files import Function

Assigned = Callable[[str], bool]  # returns True if the name is assigned on every path

# real numbers (numba/core/types, 0.42-0.68)
_NUMBER = re.compile(r"u?int\d+|float(32|64)|bool|Literal\[int\]\(-?\d+\)")
TUPLE = re.compile(rf"UniTuple\(({_NUMBER.pattern}) x \d+\)|Tuple\((({_NUMBER.pattern})(, )?)+\)")  # tuples of numbers
_EXACT = (ast.Add, ast.Sub, ast.Mult)
_DIVIDES = (ast.Div, ast.FloorDiv, ast.Mod)
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_STARRED: Tuple[type, ...] = tuple(getattr(ast, name) for name in ("TryStar",) if hasattr(ast, name))
# statements that do not raise themselves; a statement within them may
_NOTHING = (ast.Pass, ast.Global, ast.Nonlocal, ast.Break, ast.Continue, ast.Try)


def numeric_arguments(function: Function, types: str) -> FrozenSet[str]:
    """Return the arguments that are numbers. `types`: the types of all arguments, as in "int64, array(float64, 1d,
    C)"."""
    return arguments_of(function, types, _NUMBER)


def arguments_of(function: Function, types: str, wanted: Pattern[str]) -> FrozenSet[str]:
    """Return the arguments whose type's text matches `wanted`."""
    names = [argument.arg for argument in syntax.arguments(function.args)]
    found = _split(types)
    if len(names) != len(found) or function.args.vararg or function.args.kwarg:
        return frozenset()
    return frozenset(name for name, text in zip(names, found) if wanted.fullmatch(text))


def _split(types: str) -> List[str]:
    found, depth = [""], 0
    for sign in types:
        depth += (sign in "([{<") - (sign in ")]}>")
        if sign == "," and depth == 0:
            found.append("")
        else:
            found[-1] += sign
    return [text.strip() for text in found if text.strip()]


def numeric_names(
    function: Function,
    nodes: List[ast.AST],
    arguments: Collection[str],
    names: Collection[str],
    strange: bool,
    is_made: Optional[Callable[[ast.AST, Collection[str]], bool]] = None,
    tuples: Collection[str] = (),
) -> FrozenSet[str]:
    """Return the names that are numbers wherever they are assigned. `arguments`: arguments that are numbers. `is_made`:
    is_number() or another function like it. `tuples`: names of tuples of numbers."""
    is_made = is_made or is_number
    others = {argument.arg for argument in syntax.arguments(function.args)} - set(arguments)
    times: Dict[str, int] = {}
    for node in nodes[1:]:
        for name in syntax.bound_names(node):
            times[name] = times.get(name, 0) + 1
    bindings = [binding for node in nodes[1:] for binding in _bindings(node, names, strange, tuples)]
    found = {name for name in names if name not in others}
    while True:
        given: Dict[str, int] = {}
        for name, value in bindings:
            if value is None or is_made(value, found):
                given[name] = given.get(name, 0) + 1
        left = {name for name in found if given.get(name, 0) == times.get(name, 0)}
        if left == found:
            return frozenset(found)
        found = left


def _bindings(
    node: ast.AST, names: Collection[str], strange: bool, tuples: Collection[str]
) -> Iterator[Tuple[str, Optional[ast.AST]]]:
    """Yield the names that a node assigns, each with its value; None: the value is a number."""
    if isinstance(node, ast.Assign):
        is_tuple = isinstance(node.value, ast.Name) and node.value.id in tuples
        for target in node.targets:
            parts = target.elts if is_tuple and isinstance(target, ast.Tuple) else []
            yield from ((part.id, None) for part in parts if isinstance(part, ast.Name))
            for each, value in _pairs(target, node.value):
                if isinstance(each, ast.Name):
                    yield each.id, value
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and isinstance(node.target, ast.Name) and node.value:
        yield node.target.id, node.value
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id, _augmented(node, node.target)
    elif isinstance(node, ast.For) and isinstance(node.target, ast.Name) and _is_range(node.iter, names, strange):
        yield node.target.id, None


def _pairs(target: ast.AST, value: ast.AST) -> List[Tuple[ast.AST, ast.AST]]:
    """Return the pairs of a part of the target and the part of the value that it gets, if the source shows them."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        return [(target, value)]
    if not isinstance(value, (ast.Tuple, ast.List)) or len(value.elts) != len(target.elts):
        return []
    if any(isinstance(each, ast.Starred) for each in (*value.elts, *target.elts)):
        return []
    return [pair for each, part in zip(target.elts, value.elts) for pair in _pairs(each, part)]


def _augmented(node: ast.AugAssign, target: ast.Name) -> ast.BinOp:
    return ast.BinOp(ast.Name(target.id, ast.Load()), node.op, node.value)


def _is_range(node: ast.AST, names: Collection[str], strange: bool) -> bool:
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"
    return called and "range" not in names and not strange


def is_number(node: ast.AST, numbers: Collection[str]) -> bool:
    """True if the value is a number that is computed from numbers by operations that cannot raise."""
    if isinstance(node, ast.Constant):
        return syntax.literal(node) is not None
    if isinstance(node, ast.Name):
        return node.id in numbers
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Invert) and is_number(node.operand, numbers)
    if isinstance(node, ast.BinOp):
        # the least integer divided by -1 overflows
        divides = isinstance(node.op, _DIVIDES) and _is_number_but(node.right, 0, -1)
        if not divides and not isinstance(node.op, _EXACT):
            return False
        return is_number(node.left, numbers) and is_number(node.right, numbers)
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return all(isinstance(op, _ORDERS) for op in node.ops) and all(is_number(side, numbers) for side in sides)
    if isinstance(node, ast.BoolOp):
        return all(is_number(part, numbers) for part in node.values)
    if isinstance(node, ast.IfExp):
        return all(is_number(part, numbers) for part in (node.test, node.body, node.orelse))
    return False


def _is_number_but(node: ast.AST, *others: float) -> bool:
    text = syntax.literal(node)
    return text is not None and float(text) not in others


def is_safe(node: Optional[ast.AST], numbers: Collection[str], assigned: Assigned) -> bool:
    """True for an expression whose value is computed without anything that could raise."""
    if node is None or isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name):
        return assigned(node.id)
    if isinstance(node, ast.Tuple):
        return all(is_safe(part, numbers, assigned) for part in node.elts)
    if isinstance(node, ast.IfExp):
        parts = (node.body, node.orelse)
        return is_test(node.test, numbers, assigned) and all(is_safe(part, numbers, assigned) for part in parts)
    if not is_number(node, numbers):
        return False
    return all(assigned(each.id) for each in syntax.all_nodes(node) if isinstance(each, ast.Name))


def is_test(node: ast.AST, numbers: Collection[str], assigned: Assigned) -> bool:
    """Like is_safe(), for a test: the truth of an array would raise."""
    return is_number(node, numbers) and is_safe(node, numbers, assigned)


def cannot(statement: ast.stmt, numbers: Collection[str], assigned: Assigned, strange: bool) -> bool:
    """True if a statement cannot raise. For a compound statement only its header is looked at."""
    if isinstance(statement, _NOTHING):
        return True
    if isinstance(statement, ast.Assign):
        pairs = [pair for target in statement.targets for pair in _pairs(target, statement.value)]
        is_plain = bool(pairs) and all(isinstance(target, ast.Name) for target, _ in pairs)
        return is_plain and is_safe(statement.value, numbers, assigned)
    if isinstance(statement, ast.AnnAssign):
        return isinstance(statement.target, ast.Name) and is_safe(statement.value, numbers, assigned)
    if isinstance(statement, ast.AugAssign):
        target = statement.target
        return isinstance(target, ast.Name) and is_safe(_augmented(statement, target), numbers, assigned)
    if isinstance(statement, (ast.If, ast.While)):
        return is_test(statement.test, numbers, assigned)
    if isinstance(statement, ast.For):
        over = statement.iter
        if not isinstance(statement.target, ast.Name) or not isinstance(over, ast.Call) or over.keywords:
            return False
        is_counted = _is_range(over, (), strange) and all(_is_number_but(step, 0) for step in over.args[2:])
        return is_counted and all(is_test(argument, numbers, assigned) for argument in over.args)
    if isinstance(statement, ast.Return):
        return is_safe(statement.value, numbers, assigned)
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def decides(node: ast.Try, raising: Collection[int]) -> Optional[ast.If]:
    """Return the only test that leads to the one handler of a `try`: nothing in the `try` can raise except the `raise`
    at the end of that test's body. `raising`: ids of the statements that can raise."""
    plain = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.If, ast.Pass, ast.Expr, ast.Raise)
    if len(node.handlers) != 1 or node.orelse or node.finalbody or isinstance(node, _STARRED):
        return None
    if any(
        isinstance(each, ast.stmt) and not isinstance(each, plain) for s in node.body for each in syntax.all_nodes(s)
    ):
        return None
    tests = [each for each in node.body if isinstance(each, ast.If) and isinstance(each.body[-1], ast.Raise)]
    found = {id(each) for statement in node.body for each in syntax.all_nodes(statement)} & set(raising)
    if len(tests) != 1 or tests[0].orelse or found != {id(tests[0].body[-1])}:
        return None
    return tests[0]

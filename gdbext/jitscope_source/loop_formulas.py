"""Formulas that follow from a loop: its index in an iteration and after the loop, the number of iterations done, and
the sums over them. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Collection, List, Optional, Tuple

from . import formulas, syntax
from .formulas import MOST, ONE, ZERO, Value


def is_parallel(node: ast.AST, names: Collection[str], ranges: Collection[str]) -> bool:
    """True if a loop goes over Numba's prange. `ranges`: the file's names for prange."""
    made = node.func if isinstance(node, ast.Call) and ranges else None
    owner = made.value if isinstance(made, ast.Attribute) and made.attr == "prange" else made
    if not isinstance(owner, ast.Name) or owner.id in names:
        return False
    return (owner.id if owner is made else owner.id + ".prange") in ranges


def _range(node: ast.AST, names: Collection[str], strange: bool) -> Optional[List[ast.AST]]:
    """Return start, stop and step of a call of range(), or of an enumerate() of a variable."""
    counted = _counted_items(node)
    if counted is not None:
        counts = "enumerate" not in names and "len" not in names and not strange
        return [ast.Constant(0), ast.Call(ast.Name("len"), [counted], []), ast.Constant(1)] if counts else None
    is_range = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"
    return _bounds(node) if is_range and "range" not in names and not strange else None


def _counted_items(node: ast.AST) -> Optional[ast.Name]:
    """Return the variable of `enumerate(variable)`."""
    called = node.func if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords else None
    is_it = isinstance(called, ast.Name) and called.id == "enumerate"
    return node.args[0] if is_it and isinstance(node.args[0], ast.Name) else None  # type: ignore[attr-defined]


def index_of(loop: ast.For) -> Optional[ast.Name]:
    """Return the variable that counts the iterations, over a range or over the items of a variable."""
    target: Optional[ast.AST] = loop.target
    if _counted_items(loop.iter) is not None:
        target = target.elts[0] if isinstance(target, ast.Tuple) and len(target.elts) == 2 else None
    return target if isinstance(target, ast.Name) else None


def items(node: ast.AST, names: Collection[str], strange: bool = False) -> Optional[Value]:
    """Return the formula that is true if the variable that a loop goes over has items."""
    length = formulas.made_of(".len", names, strange, node) if isinstance(node, ast.Name) else None
    return None if length is None else (">", length, ZERO)


def _bounds(node: ast.AST) -> Optional[List[ast.AST]]:
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    given: List[ast.AST] = list(node.args)
    if not 0 < len(given) < 4 or any(isinstance(argument, ast.Starred) for argument in given):
        return None
    bounds = [ast.Constant(0), *given] if len(given) == 1 else given
    return bounds if len(bounds) == 3 else [*bounds, ast.Constant(1)]


def steps(
    node: ast.AST, names: Collection[str], strange: bool = False, parallel: bool = False
) -> Optional[Tuple[int, Optional[int]]]:
    """Return the step of the range that a loop goes over (`parallel`: prange), and its start if that is a number."""
    if _counted_items(node) is not None:
        return None
    given = _bounds(node) if parallel else _range(node, names, strange)
    step = None if given is None else formulas.number_of(given[2])
    if given is None or step is None or int(step) == 0:
        return None
    start = formulas.number_of(given[0])
    return int(step), None if start is None else int(start)


def previous_iteration(
    node: ast.AST, index: str, names: Collection[str], strange: bool = False
) -> Optional[Tuple[Value, Value]]:
    """Return, for an iteration over a range, the test that there was another before, and the index in that one."""
    given = _range(node, names, strange)
    start = None if given is None else formulas.value_of(given[0], names, strange)
    step = None if given is None else formulas.number_of(given[2])
    if (
        start is None
        or not formulas.is_whole(start)
        or step is None
        or int(step) == 0
        or index in formulas.mentioned(start)
    ):
        return None
    return ("!=", ("name", index), start), ("-", ("name", index), ("number", step))


def iterations_done(node: ast.AST, index: str, names: Collection[str], strange: bool = False) -> Optional[Value]:
    """Return, for an iteration over a range with the step 1 or -1, how many iterations there were before."""
    given = _range(node, names, strange)
    start = None if given is None else formulas.value_of(given[0], names, strange)
    step = None if given is None else formulas.number_of(given[2])
    if start is None or not formulas.is_whole(start) or step not in ("1", "-1") or index in formulas.mentioned(start):
        return None
    number: Value = ("name", index)
    return _difference(number, start) if step == "1" else _difference(start, number)


def sum_of(first: Value, sign: str, added: Value, index: str, done: Value) -> Optional[Value]:
    """Return the value of a whole number that was `first`, after the iterations that are done, if each of them added
    (or subtracted) `added`. The index counts up from 0, or is no part of `added`."""
    whole = _total(added, index, done) if formulas.is_whole(first) and formulas.is_whole(added) else None
    made = None if whole is None else whole if first == ZERO and sign == "+" else (sign, first, whole)
    return (".whole", made) if made is not None and formulas.size_of(made) < MOST else None


def _total(added: Value, index: str, done: Value) -> Optional[Value]:
    if index not in formulas.mentioned(added):
        return ("*", done, added)
    if done != ("name", index):
        return None
    if added == done:  # n (n - 1) / 2; the even factor is halved first, so that the product does not overflow
        two: Value = ("number", "2")
        return ("*", ("//", done, two), ("-", ("+", done, ("%", done, two)), ONE))
    if added[0] not in "+-*":
        return None
    left, right = added[1:]
    if added[0] == "*":
        factor, rest = (right, left) if index in formulas.mentioned(left) else (left, right)
        total = _total(rest, index, done) if index not in formulas.mentioned(factor) else None
        return None if total is None else ("*", factor, total)
    totals = [_total(part, index, done) for part in (left, right)]
    return None if None in totals else (added[0], *totals)


def _difference(left: Value, right: Value) -> Value:
    return left if right == ZERO else ("-", left, right)


def upper_limit(loop: ast.AST, counter: str, names: Collection[str], strange: bool = False) -> Optional[Value]:
    """Return the number that a loop has counted to by ones when its test, `counter < limit`, is false, provided that it
    had an iteration."""
    test, first = getattr(loop, "test", None), loop.body[0]  # type: ignore[attr-defined]
    adds = isinstance(first, ast.AugAssign) and isinstance(first.op, ast.Add) and syntax.literal(first.value) == "1"
    if not adds or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    if not isinstance(test.left, ast.Name) or test.left.id != counter:
        return None
    if not isinstance(test.ops[0], (ast.Lt, ast.LtE)):
        return None
    limit = formulas.value_of(test.comparators[0], names, strange)
    if limit is None or not formulas.is_whole(limit):
        return None
    return limit if isinstance(test.ops[0], ast.Lt) else ("+", limit, ONE)


def last_number(node: ast.AST, names: Collection[str], strange: bool = False) -> Optional[Tuple[Value, Value]]:
    """Return the test that the range that a loop goes over is not empty, and its last number."""
    given: List[Value] = []
    for argument in _range(node, names, strange) or ():
        value = formulas.value_of(argument, names, strange)
        if value is None:
            return None
        given.append(value)
    if not given:
        return None
    start, stop, step = given
    if step[0] != "number" or not step[1].lstrip("-").isdigit() or int(step[1]) == 0:
        return None
    up = int(step[1]) > 0
    if step[1] in ("1", "-1"):
        last = ("-" if up else "+", stop, ONE)
    else:
        ahead = ("-", stop, start) if up else ("-", start, stop)
        whole = ("//", ("-", ahead, ONE), ("number", step[1].lstrip("-")))
        last = ("+", start, ("*", whole, step))
    return (">" if up else "<", stop, start), last

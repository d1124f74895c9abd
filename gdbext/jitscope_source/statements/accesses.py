"""Elements that a statement may access, and functions that it may call: `accesses` and `leads` of
docs/schema/flow.json. Plain Python, usable outside of GDB.

The lists are over-approximated. A statement counts as quiet only if it computes numbers and copies names.
"""

from __future__ import annotations

import ast
import re
from typing import Any, Collection, Dict, FrozenSet, Iterator, List, Optional, Set, Tuple

from .. import syntax
from ..files import Function
from . import raises, stores

QUIET, LOAD, STORE, CALL = "quiet", "load", "store", "call"
# functions whose result has the shape of their argument
_SHAPED = frozenset(f"numpy.{kind}_like" for kind in ("empty", "full", "ones", "zeros"))
_NUMERIC = frozenset(("abs", "bool", "float", "int", "max", "min", "round"))
_ARRAY = re.compile(r"[aA]rray\(.*\)")
_FLAT = re.compile(r"[aA]rray\(.*, [01]d, .*\)")  # types of arrays in which one index gives an element
_OF_NUMBERS = re.compile(r"[aA]rray\((u?int\d+|float\d+|bool), 1d, .*\)")  # such types whose elements are numbers
_OTHERS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)  # their bodies are no code of this function
ANY = ""  # the name of an access that may be to any variable
Found = Set[Tuple[str, str]]  # pairs of name and kind
_ARGUMENTS = 64  # arguments that `leads` describes, at most


class Accesses:
    """The accesses of a function. `types`: the arguments' types, as in "int64, array(float64, 1d, C)"; `names`: the
    function's variables; `strange`: the file may give built-in functions other meanings."""

    def __init__(
        self, function: Function, nodes: List[ast.AST], names: Collection[str], strange: bool, types: str
    ) -> None:
        self.names = names
        self.numeric = frozenset() if strange else _NUMERIC - frozenset(names)
        given = raises.numeric_arguments(function, types)
        rebound = {name for node in nodes[1:] for name in syntax.bound_names(node)}
        self.tuples = raises.arguments_of(function, types, raises.TUPLE) - rebound
        self.arrays = raises.arguments_of(function, types, _ARRAY) - rebound
        self.deep = self.arrays - raises.arguments_of(function, types, _FLAT)
        self.of_numbers = raises.arguments_of(function, types, _OF_NUMBERS) - rebound
        self.numbers: FrozenSet[str] = frozenset()
        self.numbers = raises.numeric_names(function, nodes, given, names, strange, self._is_value, self.tuples)
        self.leads = list(self._leads(nodes[1:], [argument.arg for argument in syntax.arguments(function.args)]))

    def facts(self, body: List[ast.stmt]) -> List[Dict[str, Any]]:
        """Describe the function's statements. If two are on one line, the facts of both apply to that line."""
        return [
            {"first": first, "last": last, "name": name or None, "kind": kind}
            for statement in _statements(body)
            for first, last in [_lines(statement)]
            for name, kind in self._of_statement(statement)
        ]

    def _leads(self, nodes: List[ast.AST], arguments: List[str]) -> Iterator[Dict[str, Any]]:
        """Yield, for each variable, the numbers of the arguments (from 0) whose elements can be reached from it."""
        given = list(self._given(nodes))
        reached = [_closure({name} - self.numbers, given) for name in arguments]
        known = len(arguments) <= _ARGUMENTS
        for name in sorted(self.names):
            numbers = [number for number, names in enumerate(reached) if name in names]
            if known or not numbers:
                yield {"name": name, "arguments": numbers}

    def _given(self, nodes: List[ast.AST]) -> Iterator[Tuple[Set[str], Set[str]]]:
        """Yield, for each statement, the names that it reads or binds, and the names that it binds or puts a reference
        into. From a number nothing is reached."""
        for node in nodes:
            if not isinstance(node, (ast.stmt, ast.comprehension)):
                continue
            parts = [part for each in _header(node) for part in syntax.all_nodes(each)]
            read = {part.id for part in parts if isinstance(part, ast.Name)}
            bound = {name for part in parts for name in syntax.bound_names(part)}
            value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
            if bound and not self.is_number(value, self.numbers):
                yield bound | read, bound
            holders = {name for part in parts for name in self._holders(part, value)}
            if holders:
                yield holders | read, holders

    def _holders(self, node: ast.AST, value: Optional[ast.AST]) -> Iterator[str]:
        """Yield the names whose values a store or a call may put a reference into. `value`: the stored value."""
        found: List[ast.expr] = []
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            found = [] if self.is_number(value, self.numbers) else [node]
        elif isinstance(node, ast.Call) and not self._is_numeric(node):
            found = [node.func, *node.args, *(keyword.value for keyword in node.keywords)]
        for each in found:
            name = stores.root(each)
            if name is not None and name in self.names and name not in self.numbers and name not in self.arrays:
                yield name

    def is_number(self, node: Optional[ast.AST], numbers: Collection[str]) -> bool:
        """True if the value is a number that is computed from numbers alone, by any arithmetic."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, (bool, int, float))
        if node is None or self._is_extent(node):
            return node is not None
        if isinstance(node, (ast.Name, ast.Subscript)):
            return node.id in numbers if isinstance(node, ast.Name) else self._is_part(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            return False
        if isinstance(node, ast.Call):
            parts: List[ast.AST] = [*node.args]
            return self._is_numeric(node) and bool(parts) and all(self.is_number(part, numbers) for part in parts)
        if isinstance(node, ast.Compare) and any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops):
            return False
        if not isinstance(node, (ast.UnaryOp, ast.BinOp, ast.Compare, ast.BoolOp, ast.IfExp)):
            return False
        return all(self.is_number(part, numbers) for part in syntax.children(node))

    def _is_value(self, node: ast.AST, numbers: Collection[str]) -> bool:
        """True if the value is such a number, or an element that is a number."""
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in self.of_numbers:
            return self.is_number(node.slice, numbers)
        return self.is_number(node, numbers)

    def _is_numeric(self, call: ast.Call) -> bool:
        function = call.func
        if call.keywords or any(isinstance(each, ast.Starred) for each in call.args):
            return False
        if isinstance(function, ast.Name):
            return function.id in self.numeric
        module = function.value if isinstance(function, ast.Attribute) else None
        return isinstance(module, ast.Name) and module.id == "math" and "math" not in self.names

    def _is_quiet(self, node: Optional[ast.AST]) -> bool:
        """True if the expression only computes numbers and copies the values of names."""
        if node is None or isinstance(node, (ast.Constant, ast.Name)):
            return True
        if isinstance(node, ast.Tuple):
            return all(self._is_quiet(part) for part in node.elts)
        if isinstance(node, ast.IfExp):
            return all(self._is_quiet(part) for part in (node.body, node.orelse)) and self._is_test(node.test)
        return self._is_view(node) or self.is_number(node, self.numbers)

    def _is_test(self, node: ast.AST) -> bool:
        return self.is_number(node, self.numbers)

    def _is_extent(self, node: ast.AST) -> bool:
        """True if the expression is a length of an array, which is no element."""
        array: Optional[ast.AST] = None
        if isinstance(node, ast.Subscript) and syntax.literal(node.slice) is not None:
            array = syntax.shape_of(node.value)
        elif isinstance(node, ast.Attribute) and node.attr in ("ndim", "size"):
            array = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
            is_len = node.func.id == "len" and "len" not in self.names and bool(self.numeric)
            array = node.args[0] if is_len and not node.keywords else None
        return isinstance(array, ast.Name) and array.id in self.arrays

    def _is_view(self, node: ast.AST) -> bool:
        """True if the expression is a part of an array, which shares its memory."""
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            return False
        keys = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        parts = [part for key in keys for part in (syntax.children(key) if isinstance(key, ast.Slice) else [key])]
        has_slice = any(isinstance(key, ast.Slice) for key in keys)
        is_row = len(keys) == 1 and node.value.id in self.deep and self.is_number(keys[0], self.numbers)
        is_part = has_slice and node.value.id in self.arrays and all(self.is_number(p, self.numbers) for p in parts)
        return is_row or is_part

    def _is_quiet_statement(self, statement: ast.stmt) -> bool:
        if isinstance(statement, (ast.Pass, ast.Break, ast.Continue, ast.Try, ast.Global, ast.Nonlocal)):
            return True
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            is_plain = all(isinstance(node, (ast.Name, ast.Tuple, ast.Store)) for t in targets for node in ast.walk(t))
            is_taken_apart = any(isinstance(target, ast.Tuple) for target in targets)
            has_parts = isinstance(statement.value, ast.Tuple) or self._is_tuple(statement.value)
            return is_plain and (has_parts or not is_taken_apart) and self._is_quiet(statement.value)
        if isinstance(statement, ast.AugAssign):
            return (
                isinstance(statement.target, ast.Name)
                and statement.target.id in self.numbers
                and (self.is_number(statement.value, self.numbers))
            )
        if isinstance(statement, (ast.If, ast.While)):
            return self._is_test(statement.test)
        if isinstance(statement, ast.For):
            return isinstance(statement.target, ast.Name) and self._is_range(statement.iter)
        if isinstance(statement, ast.Return):
            return self._is_quiet(statement.value)
        if isinstance(statement, ast.Raise):
            return statement.cause is None and self._is_fixed(statement.exc)
        return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)

    def _is_range(self, node: ast.AST) -> bool:
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"
        if not is_call or not self.numeric or "range" in self.names:
            return False
        return all(self._is_test(part) for part in node.args)  # type: ignore[attr-defined]

    def _is_fixed(self, raised: Optional[ast.AST]) -> bool:
        """True for an exception that is made when the function is compiled."""
        if isinstance(raised, ast.Call):
            is_fixed = not raised.keywords and all(isinstance(each, ast.Constant) for each in raised.args)
            return is_fixed and self._is_fixed(raised.func)
        return isinstance(raised, ast.Name) and raised.id not in self.names

    def _of_statement(self, statement: ast.stmt) -> List[Tuple[str, str]]:
        if self._is_quiet_statement(statement):
            return [(ANY, QUIET)]
        found: Found = set()
        for node in _header(statement):
            self._collect(node, found)
        if isinstance(statement, ast.For) and isinstance(statement.iter, ast.Name):
            found.discard((statement.iter.id, STORE))
        if isinstance(statement, ast.AugAssign):
            found |= {(name, LOAD) for name, kind in found if kind == STORE}
            if isinstance(statement.target, ast.Name):  # it is in place if the target is an array
                found |= {(statement.target.id, LOAD), (statement.target.id, STORE)}
        return sorted(found) or [(ANY, LOAD)]

    def _collect(self, node: ast.AST, found: Found) -> None:
        if self._is_extent(node):
            return
        if isinstance(node, ast.Call) and syntax.maker(node) in _SHAPED:
            for part in node.args[1:]:
                self._collect(part, found)
            return
        if isinstance(node, ast.Name):
            is_number = node.id in self.numbers or node.id in self.tuples
            is_read = isinstance(node.ctx, ast.Load) and node.id in self.names and not is_number
            found.update({(node.id, LOAD), (node.id, STORE)} if is_read else ())
            return
        if isinstance(node, ast.Subscript) and not self._is_part(node):
            kind = LOAD if isinstance(node.ctx, ast.Load) else STORE
            found.add((stores.root(node) or ANY, kind))
            for part in (node.slice, *([] if isinstance(node.value, ast.Name) else [node.value])):
                self._collect(part, found)
            return
        if isinstance(node, ast.Call) and not (self._is_numeric(node) and isinstance(node.func, ast.Name)):
            self._called(node.func, found)
        for child in syntax.children(node):
            self._collect(child, found)

    def _is_part(self, node: ast.Subscript) -> bool:
        """True if the expression is a number in a tuple, which is in no memory that others see."""
        is_fixed = syntax.literal(node.slice) is not None
        return is_fixed and self._is_tuple(node.value)

    def _is_tuple(self, node: Optional[ast.AST]) -> bool:
        return isinstance(node, ast.Name) and node.id in self.tuples

    def _called(self, function: ast.expr, found: Found) -> None:
        if isinstance(function, ast.Name):
            found.add((ANY if function.id in self.names else function.id, CALL))
        elif stores.root(function) is None or stores.root(function) in self.names:
            found.add((ANY, CALL))  # a method, or the result of a call


def _lines(statement: ast.stmt) -> Tuple[int, int]:
    """Return the first line of the statement, and the last line of the parts that it evaluates itself."""
    inner = syntax.first_inner_line(statement)
    end: int = getattr(statement, "end_lineno", None) or statement.lineno
    return statement.lineno, end if inner is None else max(statement.lineno, inner - 1)


def _closure(names: Set[str], given: List[Tuple[Set[str], Set[str]]]) -> Set[str]:
    """Return these names, and those that can be reached from them. `given`: see _given()."""
    found = set(names)
    while True:
        more = {name for read, bound in given if not found.isdisjoint(read) for name in bound} - found
        if not more:
            return found
        found |= more


def _statements(body: List[ast.stmt]) -> Iterator[ast.stmt]:
    for node in syntax.own_nodes(body):
        if isinstance(node, ast.stmt):
            yield node


def _header(statement: ast.AST) -> List[ast.AST]:
    """Return the parts that a statement evaluates itself, without the statements in it."""
    if isinstance(statement, _OTHERS):
        return []
    inside: Dict[int, ast.AST] = {
        id(each): each
        for field in ("body", "orelse", "finalbody", "handlers", "cases")
        for each in getattr(statement, field, [])
    }
    return [each for each in syntax.children(statement) if id(each) not in inside]

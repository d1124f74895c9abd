"""Variables whose place may hold their value with the other sign. If a product is added to a sum, LLVM makes its
negative constants positive, and subtracts the product instead (LLVM 15 to 22, Reassociate.cpp,
canonicalizeNegFPConstants). It still describes the changed factors as the variable, such as a / 8.0 as x for
`x = a / -8.0` and `return x * -3.75 + a`. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Callable, Dict, FrozenSet, List, Set, Union

from . import folded, syntax

_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_POSITIVE = ("pi", "e", "tau", "inf", "nan", "euler_gamma")  # constants of modules, which are positive
# functions whose result may have the sign of an argument
_OF_ARGUMENTS = ("min", "max", "float", "int", "round", "range", "prange")
_UNSIGNED = ("abs", "len", "bool")
_LIBRARIES = ("math", "np", "numpy", "cmath")


def negated_names(function: Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]) -> FrozenSet[str]:
    """Return the names whose values may be computed with the other sign, if they are fractions."""
    found = _Values(function).negated()
    return found & folded.folded_names(function) if found else found


class _Values:
    def __init__(self, function: Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]) -> None:
        self.given: Dict[str, List[ast.AST]] = {}  # name -> the expressions that are assigned to it or to a part of it
        self.counting: Set[str] = set()  # variables of loops over a range
        self.arguments = frozenset(argument.arg for argument in syntax.arguments(function.args))
        in_order = [*function.args.posonlyargs, *function.args.args]
        # Numba compiles defaults in
        for argument, default in zip(reversed(in_order), reversed(function.args.defaults)):
            self.given[argument.arg] = [default]
        body: List[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else list(function.body)
        for statement in body:
            for node in ast.walk(statement):
                self._collect(node)
        # Whether a name may be a constant, and a negative one, follows from other names, so _closed() repeats until
        # none is added.
        self.constant = self._closed(self.counting, self._may_be_constant)
        self.negative = self._closed(set(), self._may_be_negative)

    def negated(self) -> FrozenSet[str]:
        return frozenset(self._closed(set(), self._may_be_negated))

    def _collect(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._give(target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value:
            self._give(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            self._give(node.target, ast.BinOp(node.target, node.op, node.value))
        elif isinstance(node, ast.For):
            over = node.iter
            is_range = isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and "range" in over.func.id
            if is_range:
                self._give(node.target, over)
                self.counting.update(syntax.all_bound_names(node.target))
            else:  # items are read from memory
                for name in syntax.all_bound_names(node.target):
                    self.given.setdefault(name, [])

    def _give(self, target: ast.AST, value: ast.AST) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for each, part in zip(target.elts, value.elts):
                self._give(each, part)
        else:
            for name in syntax.all_bound_names(target):
                self.given.setdefault(name, []).append(value)

    def _closed(self, found: Set[str], judge: Callable[[ast.AST, Set[str]], bool]) -> Set[str]:
        """Return the names in `found`, and those with a value that `judge` accepts, given the names found so far."""
        found, count = set(found), -1
        while len(found) > count:
            count = len(found)
            found |= {name for name, values in self.given.items() if any(judge(value, found) for value in values)}
        return found

    def _is_free(self, name: str) -> bool:
        """True for a name from outside of the function, which is a constant to the compiler."""
        return name not in self.given and name not in self.arguments

    def _may_be_constant(self, node: ast.AST, names: Set[str]) -> bool:
        if isinstance(node, ast.IfExp):
            return any(self._may_be_constant(part, names) for part in (node.body, node.orelse))
        return all(
            each.id in names or self._is_free(each.id) for each in syntax.all_nodes(node) if isinstance(each, ast.Name)
        )

    def _may_be_negative(self, node: ast.AST, names: Set[str]) -> bool:
        """True if the value may be a negative constant, once the compiler has computed all that it can."""
        if isinstance(node, ast.Name):
            return node.id in names or self._is_free(node.id)
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, (ast.USub, ast.Invert)) or self._may_be_negative(node.operand, names)
        if isinstance(node, ast.BinOp):
            is_difference = isinstance(node.op, ast.Sub) and self._may_be_constant(node, self.constant)
            return is_difference or any(self._may_be_negative(part, names) for part in (node.left, node.right))
        if isinstance(node, ast.Attribute):
            root = node.value
            return isinstance(root, ast.Name) and self._is_free(root.id) and node.attr not in _POSITIVE
        if isinstance(node, ast.Subscript):
            return self._may_be_negative(node.value, names)
        if isinstance(node, ast.Call):
            return self._call(node, lambda part: self._may_be_negative(part, names), True)
        if isinstance(node, (ast.Compare, *_SCOPES)):
            return False
        return any(self._may_be_negative(part, names) for part in ast.iter_child_nodes(node))

    def _may_be_negated(self, node: ast.AST, names: Set[str]) -> bool:
        """True if the value, or a part of it, may be a product or a quotient with such a constant."""
        if isinstance(node, ast.Name):
            return node.id in names
        if isinstance(node, ast.BinOp):
            sides = (node.left, node.right)
            return isinstance(node.op, (ast.Mult, ast.Div)) and any(
                self._may_be_negative(side, self.negative) or self._may_be_negated(side, names) for side in sides
            )
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):  # -(x * 2.0) becomes x * -2.0
            return self._may_be_product(node.operand)
        if isinstance(node, ast.Call):
            return self._call(node, lambda part: self._may_be_negated(part, names), False)
        if isinstance(node, ast.Subscript):  # an item of a tuple, or a value from memory
            return syntax.literal(node.slice) is not None and self._may_be_negated(node.value, names)
        if isinstance(node, (ast.Compare, ast.Attribute, *_SCOPES)):
            return False
        return any(self._may_be_negated(part, names) for part in ast.iter_child_nodes(node))

    def _may_be_product(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.given
        return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div))

    def _call(self, node: ast.Call, judge: Callable[[ast.AST], bool], of_constants: bool) -> bool:
        """Judge a call. A function of this program may be inlined, so its result may be what `judge` looks for.
        `of_constants`: also look for a library's function that may get constants only."""
        function = node.func
        name = function.id if isinstance(function, ast.Name) else ""
        if name in _UNSIGNED:
            return False
        if name in _OF_ARGUMENTS:
            return any(judge(part) for part in node.args)
        root = function.value if isinstance(function, ast.Attribute) else None
        if isinstance(root, ast.Name) and root.id in _LIBRARIES:
            return of_constants and all(self._may_be_constant(part, self.constant) for part in node.args)
        return True

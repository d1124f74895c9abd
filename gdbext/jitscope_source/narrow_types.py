"""Variables that a function may need only in part. LLVM then computes only the bits that are used, and describes the
remaining value as the variable: for `x = a - 6`, if only `x % 2` is used, the debug information says that x is where a
is. Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Dict, FrozenSet, Iterable, List, Optional, Set, Tuple, Union

from . import syntax

# The use of an expression's value: the names that it becomes part of. NEEDED: all of its bits are used, PARTLY: perhaps
# not.
Sink = Optional[FrozenSet[str]]
NEEDED: Sink = frozenset()
PARTLY: Sink = None

_MOST_SUMS = 500  # sums of a function that are looked at, at most
_PASSING = (ast.Add, ast.Sub, ast.BitXor)
_DIVIDING = (ast.Mod, ast.FloorDiv)
_CONTAINING = (ast.Tuple, ast.List, ast.Starred, ast.BoolOp)


def narrow_names(function: Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]) -> FrozenSet[str]:
    return _Uses(function).closed()


def is_whole(value: Optional[ast.AST]) -> bool:
    """True if the value is read unchanged, such as a length or an attribute, and is no result of arithmetic."""
    is_length = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "len"
    return is_length or isinstance(value, ast.Attribute)


def _is_odd(node: ast.AST) -> bool:
    text = syntax.literal(node)
    return text is not None and text.lstrip("-").isdigit() and int(text) % 2 == 1


def _is_fraction(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def _operands(node: Optional[ast.AST]) -> FrozenSet[str]:
    """Return the names whose values a sum adds up, as far as they are not read from memory."""
    if isinstance(node, ast.Name):
        return frozenset((node.id,))
    if isinstance(node, ast.BinOp):
        return _operands(node.left) | _operands(node.right)
    if isinstance(node, ast.UnaryOp):
        return _operands(node.operand)
    if isinstance(node, ast.IfExp):
        return _operands(node.body) | _operands(node.orelse)
    if isinstance(node, ast.Subscript) and syntax.literal(node.slice) is not None:  # an item of a tuple
        return _operands(node.value)
    return frozenset()


class _Uses:
    def __init__(self, function: Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]) -> None:
        self.narrow: Set[str] = set()
        self.parts: Dict[str, Set[str]] = {}  # name -> names that its value is made of
        self.given: Dict[str, Dict[int, Set[str]]] = {}  # like `parts`, by the statement that assigns
        self.made: Set[str] = set()  # names that are assigned the result of arithmetic
        self.sums: List[Tuple[int, FrozenSet[str], FrozenSet[str]]] = []  # the statement, and the names in each operand
        self.at = 0
        decorators = getattr(function, "decorator_list", [])
        # A signature may give the result a type of fewer bits.
        self.result = PARTLY if any(isinstance(d, ast.Call) and d.args for d in decorators) else NEEDED
        body: List[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else list(function.body)
        self.statements(body)

    def closed(self) -> FrozenSet[str]:
        for _, left, right in self.sums[_MOST_SUMS:]:
            self.narrow |= left | right
        for at, left, right in self.sums[:_MOST_SUMS]:
            of_left, of_right = self._made_of(left, at), self._made_of(right, at)
            shared = of_left & of_right & self.made
            if shared:  # 2 * x needs all bits of x except the highest
                self.narrow |= shared
                self.narrow.update(name for name in left | right if not shared.isdisjoint(self._made_of({name}, at)))
        work = list(self.narrow)
        while work:
            for name in self.parts.get(work.pop(), set()) - self.narrow:
                self.narrow.add(name)
                work.append(name)
        return frozenset(self.narrow)

    def _made_of(self, names: Iterable[str], but: int) -> Set[str]:
        """Return these names and all that their values are made of, by other statements than `but`, and without earlier
        iterations."""
        found = set(names)
        work = list(found)
        while work:
            for at, parts in self.given.get(work.pop(), {}).items():
                for name in parts - found if at != but else ():
                    found.add(name)
                    work.append(name)
        return found

    def statements(self, work: List[ast.AST]) -> None:
        while work:
            node = work.pop()
            self.at = id(node)
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self.assign(target, node.value)
            elif isinstance(node, ast.AugAssign):
                self.assign(node.target, ast.BinOp(node.target, node.op, node.value))
            elif isinstance(node, ast.AnnAssign):
                self.assign(node.target, node.value)
            elif isinstance(node, ast.For):
                self.iterate(node)
                work += [*node.body, *node.orelse]
            elif isinstance(node, (ast.If, ast.While)):
                self.use(node.test, NEEDED)
                work += [*node.body, *node.orelse]
            elif isinstance(node, ast.Return):
                self.use(node.value, self.result)
            elif isinstance(node, syntax.SCOPES) or isinstance(node, ast.expr):
                self.use_all(node)
            else:
                work += ast.iter_child_nodes(node)

    def assign(self, target: ast.AST, value: Optional[ast.AST]) -> None:
        if isinstance(target, ast.Subscript):  # the items may have a smaller type
            self.use(target.slice, NEEDED)
        is_name = isinstance(target, (ast.Name, ast.Tuple, ast.List))
        bound = frozenset(syntax.all_bound_names(target))
        self.made.update(
            bound if any(isinstance(each, ast.BinOp) for each in syntax.all_nodes(value or target)) else ()
        )
        self.use(value, bound if is_name else PARTLY)

    def iterate(self, node: ast.For) -> None:
        names = frozenset(syntax.all_bound_names(node.target))
        over = node.iter
        is_range = isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range"
        if is_range and len(over.args) < 3:  # type: ignore[attr-defined]
            self.use_each(over.args, names)  # type: ignore[attr-defined]
        else:
            self.use(over, PARTLY)

    def use_all(self, node: ast.AST) -> None:
        self.narrow.update(each.id for each in syntax.all_nodes(node) if isinstance(each, ast.Name))

    def use_each(self, nodes: Iterable[ast.AST], sink: Sink) -> None:
        for node in nodes:
            self.use(node, sink)

    def use(self, node: Optional[ast.AST], sink: Sink) -> None:
        if isinstance(node, ast.Name):
            self.narrow.update({node.id} if sink is None else ())
            for name in sink or ():
                self.parts.setdefault(name, set()).add(node.id)
                self.given.setdefault(name, {}).setdefault(self.at, set()).add(node.id)
        elif isinstance(node, ast.BinOp):
            self.operate(node, sink)
        elif isinstance(node, ast.UnaryOp):
            self.use(node.operand, NEEDED if isinstance(node.op, ast.Not) else sink)
        elif isinstance(node, ast.Compare):  # a comparison may need the sign, or high bits
            is_equality = all(isinstance(op, (ast.Eq, ast.NotEq)) for op in node.ops)
            self.use_each([node.left, *node.comparators], NEEDED if is_equality else PARTLY)
        elif isinstance(node, ast.IfExp):
            self.use(node.test, NEEDED)
            self.use_each([node.body, node.orelse], sink)
        elif isinstance(node, ast.Subscript):
            self.use(node.value, sink)
            self.use(node.slice, NEEDED)
        elif isinstance(node, _CONTAINING):
            self.use_each(ast.iter_child_nodes(node), sink)
        elif isinstance(node, ast.Attribute):
            self.use(node.value, NEEDED)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("len", "float"):
            self.use_each(node.args, NEEDED)
        elif node is not None and not isinstance(node, ast.Constant):
            self.use_all(node)

    def operate(self, node: ast.BinOp, sink: Sink) -> None:
        if isinstance(node.op, _PASSING):
            self.sums.append((self.at, _operands(node.left), _operands(node.right)))
            self.use_each([node.left, node.right], sink)
        elif isinstance(node.op, ast.Div) or _is_fraction(node.left) or _is_fraction(node.right):
            self.use_each([node.left, node.right], NEEDED)
        elif isinstance(node.op, _DIVIDING) and _is_odd(node.right):
            self.use(node.left, NEEDED)
        elif isinstance(node.op, ast.Mult) and (_is_odd(node.left) or _is_odd(node.right)):
            self.use_each([node.left, node.right], sink)
        else:
            self.use_each([node.left, node.right], PARTLY)

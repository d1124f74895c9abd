"""The assignments of a function, and the facts about its names from one assignment to the next. Plain Python, usable
outside of GDB."""

from __future__ import annotations

import ast
from typing import Any, Dict, FrozenSet, List, NamedTuple, Optional, Set, Tuple

from . import folded, formulas, narrow_types, syntax
from .files import Function
from .statements import raises

UNASSIGNED = 0

# None: not reachable. Under a name: the definitions that may be current. Under "=" and a name: the integers that tests
# on every path here found it equal to, or the formula of its value; UNKNOWN where paths differ.
State = Optional[Dict[str, FrozenSet[Any]]]
NO_TEST = -(1 << 64)
UNKNOWN: FrozenSet[Any] = frozenset({NO_TEST})


def join(left: State, right: State) -> State:
    if left is None or right is None:
        return right if left is None else left
    return {
        name: known | right[name] if name[0] != "=" else known if known == right[name] else UNKNOWN
        for name, known in left.items()
    }


class _Before(NamedTuple):
    """The state before the targets of a statement are assigned, and the names that the statement binds."""

    state: State
    bound: FrozenSet[str]  # names that the targets bind
    repeated: FrozenSet[str]  # names that they bind twice; CPython 3.11.2 stores `x, x = 1, 2` in the other order
    within: FrozenSet[str]  # names that the value itself binds, before or after it reads them

    def value_before(self, value: Optional[formulas.Value]) -> Optional[formulas.Value]:
        """Return the value, whose names are those of the state before; None if a name in it may have changed since."""
        return value if value is None or self.within.isdisjoint(formulas.mentioned(value)) else None


class Definitions:
    """The definitions of a function's names. `nodes`: all nodes of the function, itself first. `strange`: len, max, min
    and range may be other functions. `types`: the arguments' types, if they are known."""

    def __init__(self, function: Function, nodes: List[ast.AST], strange: bool, types: str = "") -> None:
        self.function = function
        self.strange = strange
        self.kinds = {type(node) for node in nodes[1:]}
        self.binds_within = ast.NamedExpr in self.kinds
        self.body: List[ast.stmt] = [] if isinstance(function, ast.Lambda) else function.body
        self.names = self._local_names(nodes)
        self.rebound = {name for node in nodes[1:] for name in syntax.bound_names(node)}
        # names that are numbers wherever they are assigned; only needed with a try
        self.numbers: FrozenSet[str] = frozenset()
        if ast.Try in self.kinds:
            given = raises.numeric_arguments(function, types)
            self.numbers = raises.numeric_names(function, nodes, given, self.names, strange)
        self.defs: List[Tuple[str, int, bool]] = []  # id - 1 -> name, line, True if it is in a loop
        self.literals: Dict[int, str] = {}
        self.held: Dict[int, Tuple[str, str]] = {}  # id of a def -> the value, if no place holds it
        self.makers: Dict[int, str] = {}  # id of a def -> the function that makes its value
        self.gives: Dict[int, formulas.Value] = {}  # id of a def -> its value, by the names of the state before
        self.read: Set[int] = set()  # ids of defs whose value is read unchanged
        self.chosen: Set[int] = set()  # ids of defs whose value is one of several, with a constant among them
        self.constant: Set[int] = set()  # ids of defs whose value is a constant
        self.ids: Dict[Tuple[int, str], int] = {}  # (node id, name) -> def
        self.bound: Dict[int, FrozenSet[str]] = {}  # id of a statement -> names that it assigns
        self.computes: Set[str] = set()  # names whose value is known from others at some place
        self.loop_depth = 0
        self.tries: List[State] = []  # for each try: the states in which an exception may have left its body so far
        self.finals: List[State] = []  # for each finally: the states in which an exception or a jump may reach it
        self.raising: Set[int] = set()  # ids of statements that may raise

    def _first_line(self) -> int:
        return self.function.lineno

    def _local_names(self, nodes: List[ast.AST]) -> Set[str]:
        names = {argument.arg for argument in syntax.arguments(self.function.args)}
        excluded: Set[str] = set()
        has_scopes = not self.kinds.isdisjoint(syntax.INNER)
        for node in syntax.own_nodes(self.body) if has_scopes else nodes[1:]:
            if isinstance(node, ast.Global):
                excluded.update(node.names)
            names.update(syntax.bound_names(node))
        for node in nodes if ast.Nonlocal in self.kinds else ():
            if isinstance(node, ast.Nonlocal):  # an inner function may assign it at any time
                excluded.update(node.names)
        return names - excluded

    def _define(
        self,
        state: State,
        node: ast.AST,
        name: str,
        line: int,
        weak: bool = False,
        value: Optional[formulas.Value] = None,
    ) -> State:
        if state is None or name not in self.names:
            return state
        key = (id(node), name)
        number = self.ids.get(key)
        if number is None:
            self.defs.append((name, line, self.loop_depth > 0))
            number = self.ids[key] = len(self.defs)
        if value is not None and not weak:
            self.gives[number] = value
        state = dict(state)
        state[name] = state[name] | {number} if weak else frozenset({number})
        self._compute(state, name, None if weak else value)
        return state

    def _compute(self, state: Dict[str, FrozenSet[Any]], name: str, value: Optional[formulas.Value]) -> None:
        """Change the state in place: the name now has this value, whose names are those of the state before."""
        own = self._computed(state, name)
        old = formulas.before(name, value)
        # in a loop, only the first iteration's value would be known
        if own is not None and (old is None or self.loop_depth == 0):
            old = own
        if self.computes:
            for other in self.computes:
                known = self._computed(state, other) if other != name else None
                if known is not None and name in formulas.mentioned(known):
                    known = formulas.replaced(known, name, old)
                    state["=" + other] = UNKNOWN if known is None else frozenset({known})
        for argument in () if value is None else formulas.mentioned(value) & self.rebound:
            if value is not None and self._computed(state, argument) == ("entry", argument):
                value = formulas.replaced(value, argument, ("entry", argument))
        value = None if value is None else formulas.replaced(value, name, own)
        state["=" + name] = UNKNOWN if value is None else frozenset({value})
        if value is not None:
            self.computes.add(name)

    def _value_after_iteration(self, state: Dict[str, FrozenSet[Any]], name: str) -> Optional[formulas.Value]:
        """Return the value that an iteration has left, with the numbers that are known then."""
        computed = self._computed(state, name)
        computed = None if computed is None else formulas.settled(computed, lambda other: self._computed(state, other))
        return None if computed == formulas.NONE else computed

    @staticmethod
    def _computed(state: Dict[str, FrozenSet[Any]], name: str) -> Optional[formulas.Value]:
        (known, *_) = state["=" + name]
        return known if isinstance(known, tuple) else None

    def _seen(self, state: State) -> None:
        """Record `state` as one in which an exception may leave the enclosing `try` blocks."""
        self.tries = [join(seen, state) for seen in self.tries]
        self._passed(state)

    def _passed(self, state: State) -> None:
        """Record `state` as one in which control may leave the enclosing `finally` blocks' bodies."""
        self.finals = [join(seen, state) for seen in self.finals]

    def _raises(self, statement: ast.stmt, state: State) -> bool:
        """True if the statement may raise. For a compound statement only its header is looked at."""

        def assigned(name: str) -> bool:
            return name in self.names and state is not None and UNASSIGNED not in state[name]

        return not raises.cannot(statement, self.numbers, assigned, self.strange or "range" in self.names)

    def _undefine(self, state: State, name: str) -> State:
        if state is None or name not in self.names:
            return state
        state = dict(state)
        state[name] = frozenset({UNASSIGNED})
        self._compute(state, name, None)
        return state

    def _before(self, state: State, value: Optional[ast.AST], *targets: ast.AST) -> _Before:
        names = syntax.all_bound_names(*targets)
        bound = frozenset(names)
        within = syntax.all_bound_names(value) if self.binds_within and value is not None else []
        return _Before(state, bound, frozenset(name for name in bound if names.count(name) > 1), frozenset(within))

    def _targets(
        self,
        state: State,
        target: ast.AST,
        value: Optional[ast.AST] = None,
        computed: Optional[formulas.Value] = None,
        before: Optional[_Before] = None,
    ) -> State:
        """Return the state after a target is assigned. `computed`: the value, by the names of the state before;
        `before`: the state before all targets of the statement."""
        if isinstance(target, ast.Name):
            computed = None if before is not None and target.id in before.repeated else computed
            is_chosen = self._is_chosen(value, state)
            state = self._define(state, target, target.id, target.lineno, value=computed)
            number = self.ids.get((id(target), target.id))
            if number is not None:
                self._describe(number, value, is_chosen)
        elif isinstance(target, (ast.Tuple, ast.List)):
            values: List[Optional[ast.AST]] = [None] * len(target.elts)
            if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(values):
                if not any(isinstance(e, ast.Starred) for e in (*value.elts, *target.elts)):
                    values = list(value.elts)
            before = before or self._before(state, value, target)
            is_shape = syntax.shape_of(value) and not any(isinstance(e, ast.Starred) for e in target.elts)
            for number, (element, part) in enumerate(zip(target.elts, values)):
                computed = before.value_before(formulas.assigned(part, self.names, self.strange))
                computed = formulas.axis(value, number, self.names) if is_shape else computed
                for name in before.bound & (frozenset() if computed is None else formulas.mentioned(computed)):
                    if computed is not None:  # its names are those of the state before all targets
                        own = None if before.state is None else self._computed(before.state, name)
                        computed = formulas.replaced(computed, name, own)
                if computed is not None and not before.bound.isdisjoint(formulas.mentioned(computed)):
                    computed = None
                if not isinstance(element, ast.Name):  # storing to it may raise, after the earlier targets are assigned
                    self._seen(state)
                state = self._targets(state, element, part, computed, before)
        elif isinstance(target, ast.Starred):
            state = self._targets(state, target.value)
        else:
            state = self._expression(state, target)
        return state

    def _describe(self, number: int, value: Optional[ast.AST], is_chosen: bool) -> None:
        """Record the facts in the source about a definition's value."""
        literal, held, maker = syntax.literal(value), syntax.held(value), syntax.maker(value)
        if literal is not None:
            self.literals[number] = literal
        if held is not None:
            self.held[number] = held
        if maker is not None:
            self.makers[number] = maker
        if narrow_types.is_whole(value):
            self.read.add(number)
        if is_chosen:
            self.chosen.add(number)
        if value is not None and folded.is_constant(value):
            self.constant.add(number)

    def _expression(self, state: State, *nodes: Optional[ast.AST]) -> State:
        """Return the state after the assignment expressions in the nodes; those that may be skipped or repeated only
        add a definition."""
        if not self.binds_within:
            return state
        stack = [(node, False) for node in reversed(nodes) if node is not None]
        found: List[Tuple[ast.AST, bool]] = []
        while stack:
            node, weak = stack.pop()
            if isinstance(node, syntax.SCOPES):
                continue
            if isinstance(node, ast.NamedExpr):
                found.append((node.target, weak))
            weak = weak or isinstance(node, (ast.BoolOp, ast.IfExp, *syntax.COMPREHENSIONS))
            weak = weak or (isinstance(node, ast.Compare) and len(node.ops) > 1)
            stack.extend((child, weak) for child in reversed(list(ast.iter_child_nodes(node))))
        for target, weak in found:
            state = self._define(state, target, target.id, target.lineno, weak)  # type: ignore[attr-defined]
            self._seen(state)
        return state

    def _is_chosen(self, value: Optional[ast.AST], state: State) -> bool:
        """True if the value is one of several, with a constant among them, or is computed from such a value."""
        if value is None or state is None:
            return False
        for name in folded.names(value):
            ids = state.get(name, frozenset())
            if not self.chosen.isdisjoint(ids) or (len(ids) > 1 and not self.constant.isdisjoint(ids)):
                return True
        return folded.chooses(value)

    def _bound_by(self, node: ast.AST) -> FrozenSet[str]:
        bound = self.bound.get(id(node))
        if bound is None:
            bound = self.bound[id(node)] = frozenset(syntax.all_bound_names(node))
        return bound

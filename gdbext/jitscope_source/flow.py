"""The assignments of a Python function that may reach each of its lines. Plain Python, usable outside of GDB.

Everything is over-approximated: a definition that might reach is listed, a name that might be unassigned is marked."""

from __future__ import annotations

import ast
from typing import Any, Dict, FrozenSet, Iterable, List, Optional, Set, Union

from . import formulas, syntax
from .definitions import UNASSIGNED, UNKNOWN, State, join
from .files import Function
from .loops import Loops
from .statements import raises


class Flow(Loops):
    def __init__(
        self,
        function: Function,
        nodes: List[ast.AST],
        strange: bool = False,
        ranges: FrozenSet[str] = frozenset(),
        types: str = "",
    ) -> None:
        super().__init__(function, nodes, strange, ranges, types)
        self.tested: Dict[int, State] = {}  # id of an if -> the state that its test finds
        self.returned: Set[str] = set()  # names that return statements return; "" for any other value
        self.statements: Dict[int, ast.AST] = {}  # line -> the statement that describes it
        self.shared: Set[int] = set()  # lines with several statements
        self.spans: Dict[int, int] = {}  # first -> last line of statements and headers on several lines
        self.facts: Dict[int, Dict[str, FrozenSet[Any]]] = {}
        self.owner: Dict[int, int] = {}  # line -> id of the statement that describes it
        nothing: Dict[str, FrozenSet[Any]] = {name: frozenset({UNASSIGNED}) for name in self.names}
        nothing.update({"=" + name: UNKNOWN for name in self.names})
        state: State = nothing
        for argument in syntax.arguments(function.args):
            entry: formulas.Value = ("entry", argument.arg)
            state = self._define(state, argument, argument.arg, self._first_line(), value=entry)
        self.computes.clear()  # no other name follows from the arguments yet
        self._describe_header(self.body, state)
        self._block(self.body, state)

    # ---- facts ----

    def _record(self, statement: ast.stmt, first: int, last: int, state: State) -> None:
        if state is None:
            return
        if last > first:
            self.spans[first] = last
        for line in range(first, last + 1):
            if self.owner.setdefault(line, id(statement)) != id(statement):
                self.shared.add(line)
                continue
            self.statements[line] = statement
            known = self.facts.get(line)
            self.facts[line] = dict(state) if known is None else join(known, state)  # type: ignore[assignment]

    def _forget(self, node: Union[ast.For, ast.AsyncFor, ast.While]) -> None:
        """Forget the facts of a loop's lines before a new pass. The last pass records all of them, since it starts from
        the final state at the loop's head."""
        end = getattr(node, "end_lineno", None) or node.lineno - 1
        for line in range(node.lineno, end + 1):
            self.facts.pop(line, None)

    def _describe_header(self, body: List[ast.stmt], state: State) -> None:
        decorators = getattr(self.function, "decorator_list", [])
        first = min([self._first_line(), *(decorator.lineno for decorator in decorators)])
        last = max(self._first_line(), body[0].lineno - 1) if body else self._first_line()
        if body and body[0].lineno == self._first_line():
            last = self._first_line() - 1  # such as `def f(): x = 1`
        self._record(self.function, first, last, state)  # type: ignore[arg-type]

    # ---- statements ----

    def _block(self, body: Iterable[ast.stmt], state: State) -> State:
        for statement in body:
            state = self._statement(statement, state)
        return state

    def _statement(self, statement: ast.stmt, state: State) -> State:
        if state is None:
            return None
        if (self.tries or self.finals) and self._raises(statement, state):
            self.raising.add(id(statement))
            self._seen(state)
        method = getattr(self, "_do_" + type(statement).__name__, None)
        inner = syntax.first_inner_line(statement)
        end = getattr(statement, "end_lineno", None) or statement.lineno
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
        last = end if inner is None else max(statement.lineno, inner - 1)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            last = statement.lineno  # the following lines are another scope's
        # _repeat() records a loop, whose state joins those of the next iterations
        if not isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
            self._record(statement, first, last, state)
        if method is not None:
            after: State = method(statement, state)
            return after
        return self._expression(state, *ast.iter_child_nodes(statement))

    def _do_Assign(self, node: ast.Assign, state: State) -> State:
        before = self._before(state, node.value, *node.targets)
        state = self._expression(state, node.value)
        is_one = len(node.targets) == 1
        computed = before.value_before(formulas.assigned(node.value, self.names, self.strange)) if is_one else None
        for target in node.targets:
            if target is not node.targets[0] and not isinstance(target, ast.Name):
                self._seen(state)  # storing to it may raise, after the earlier targets are assigned
            state = self._targets(state, target, node.value, computed, before)
        return state

    def _do_AnnAssign(self, node: ast.AnnAssign, state: State) -> State:
        if node.value is None:
            return state
        computed = formulas.assigned(node.value, self.names, self.strange)
        computed = self._before(state, node.value, node.target).value_before(computed)
        return self._targets(self._expression(state, node.value), node.target, node.value, computed)

    def _do_AugAssign(self, node: ast.AugAssign, state: State) -> State:
        computed = formulas.value_of(ast.BinOp(node.target, node.op, node.value), self.names, self.strange)
        computed = self._before(state, node.value, node.target).value_before(computed)
        return self._targets(self._expression(state, node.value), node.target, None, computed)

    def _do_Delete(self, node: ast.Delete, state: State) -> State:
        for target in node.targets:
            for name in [n for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)]:
                state = self._undefine(state, name.id)
            self._seen(state)
        return state

    def _do_FunctionDef(self, node: ast.FunctionDef, state: State) -> State:
        state = self._expression(state, *node.decorator_list, *node.args.defaults, *node.args.kw_defaults)
        return self._define(state, node, node.name, node.lineno)

    _do_AsyncFunctionDef = _do_FunctionDef

    def _do_ClassDef(self, node: ast.ClassDef, state: State) -> State:
        state = self._expression(state, *node.decorator_list, *node.bases)
        return self._define(state, node, node.name, node.lineno)

    def _do_Import(self, node: Union[ast.Import, ast.ImportFrom], state: State) -> State:
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            state = self._define(state, alias, name, getattr(alias, "lineno", node.lineno))
        return state

    _do_ImportFrom = _do_Import

    def _do_Return(self, node: ast.Return, state: State) -> State:
        nothing = node.value is None or isinstance(node.value, ast.Constant) and node.value.value is None
        self.returned.add("None" if nothing else node.value.id if isinstance(node.value, ast.Name) else "")
        self._passed(self._expression(state, node.value))
        return None

    def yields(self) -> bool:
        return not self.kinds.isdisjoint(syntax.YIELDS)

    def _do_Raise(self, node: ast.Raise, state: State) -> State:
        self._seen(self._expression(state, node.exc, node.cause))
        return None

    def _do_If(self, node: ast.If, state: State) -> State:
        state = self._expression(state, node.test)
        self.tested[id(node)] = state
        taken, passed = self._narrow(state, node.test, True), self._narrow(state, node.test, False)
        taken, passed = self._block(node.body, taken), self._block(node.orelse, passed)
        test = formulas.test_of(node.test, self.names, self.strange)
        after = join(taken, passed)
        if taken is None or passed is None or after is None or test is None:
            return after
        return self._chosen(node, test, state, after, taken, passed)

    def _chosen(
        self, node: ast.stmt, test: Optional[formulas.Value], state: State, after: State, then: State, other: State
    ) -> State:
        """Return the state after a statement whose test has chosen one of two branches: a name that has known values
        after both gets the formula that chooses between them. `state`: the state at the test."""
        bound = self._bound_by(node)
        # by the names of the state before
        for name in bound & (frozenset() if test is None else formulas.mentioned(test)):
            own = None if state is None else self._computed(state, name)
            test = None if test is None else formulas.replaced(test, name, own)
        if test is None or not bound.isdisjoint(formulas.mentioned(test)):
            return after
        if after is None or then is None or other is None:
            return after
        for name in bound & self.names:
            computed = formulas.chosen(test, self._computed(then, name), self._computed(other, name))
            if computed is not None:
                after["=" + name] = frozenset({computed})
                self.computes.add(name)
        return after

    def _narrow(self, state: State, test: ast.AST, holds: bool) -> State:
        """Return the state with the integers that names must equal when `test` is true (`holds`) or false."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._narrow(state, test.operand, not holds)
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) == holds:
            for part in test.values:  # all parts are true (or, under `or`, all are false)
                state = self._narrow(state, part, holds)
            return state
        if state is None or not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return state
        if not isinstance(test.ops[0], ast.Eq if holds else ast.NotEq):
            return state
        for name, other in ((test.left, test.comparators[0]), (test.comparators[0], test.left)):
            literal = syntax.literal(other)
            # 0 is left out, because -0.0, which is written differently, is equal to it
            if isinstance(name, ast.Name) and name.id in self.names and literal and literal.lstrip("-").isdigit():
                own = self._computed(state, name.id)
                if own is not None and own[0] == "number":
                    continue  # the number is known already, and is unchanged by the test
                if int(literal) and not isinstance(getattr(other, "value", None), bool):
                    state = dict(state)
                    state["=" + name.id] = frozenset({int(literal)})
        return state

    def _do_With(self, node: Union[ast.With, ast.AsyncWith], state: State) -> State:
        for item in node.items:
            state = self._expression(state, item.context_expr)
            if item.optional_vars is not None:
                state = self._targets(state, item.optional_vars)
            self._seen(state)
        self.tries.append(state)  # a context manager may swallow an exception of the body
        after = self._block(node.body, state)
        after = join(after, self.tries.pop())
        self._seen(after)
        if self.owner.get(node.lineno) == id(node):  # control comes back to the first line when the block is left
            self._record(node, node.lineno, max(node.lineno, node.body[0].lineno - 1), after)
        return after

    _do_AsyncWith = _do_With

    def _do_Try(self, node: ast.Try, state: State) -> State:
        jumps = [(loop, loop.broken, loop.continued) for loop in self.loops]
        self.finals.append(None)  # the state in which control leaves body, handlers and else before their end
        self.tries.append(None)
        tried = after = self._block(node.body, state)
        raised = self.tries.pop()
        after = self._block(node.orelse, after)
        for handler in node.handlers:
            if handler.lineno not in self.owner or self.owner[handler.lineno] == id(handler):
                last = max(handler.lineno, handler.body[0].lineno - 1)
                self._record(handler, handler.lineno, last, raised)  # type: ignore[arg-type]
            caught = self._expression(raised, handler.type)
            if handler.name:
                caught = self._define(caught, handler, handler.name, handler.lineno)
            caught = self._block(handler.body, caught)
            if handler.name:
                caught = self._undefine(caught, handler.name)
            after = join(after, caught)
        seen = self.finals.pop()
        if not node.finalbody:
            decides = raises.decides(node, self.raising)
            if decides is None or after is None or tried is None or caught is None:
                return after
            test = formulas.test_of(decides.test, self.names, self.strange)
            return self._chosen(node, test, self.tested[id(decides)], after, caught, tried)
        out = self._block(node.finalbody, join(after, seen))
        self._seen(out)  # the program goes on after the try statement
        for loop, broken, continued in jumps:  # a break or continue inside passes through the finally block
            if loop.broken != broken:
                loop.broken = join(loop.broken, out)
            if loop.continued != continued:
                loop.continued = join(loop.continued, out)
        return out if after is not None else None

    _do_TryStar = _do_Try

    def _do_Match(self, node: ast.AST, state: State) -> State:
        state = self._expression(state, node.subject)  # type: ignore[attr-defined]
        after: State = None
        for case in node.cases:  # type: ignore[attr-defined]
            first = case.pattern.lineno
            last = max(first, case.body[0].lineno - 1)
            self._record(case, first, last, state)
            tried = state
            for pattern in ast.walk(case.pattern):
                name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
                if isinstance(name, str):
                    tried = self._define(tried, pattern, name, pattern.lineno, weak=True)  # type: ignore[attr-defined]
            self._seen(tried)
            tried = self._expression(tried, case.guard)
            after = join(after, self._block(case.body, tried))
            state = tried  # a pattern that failed may have bound names
        return join(after, state)

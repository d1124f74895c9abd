"""Which assignments of a Python function may reach which of its lines: the text form of `program/flow.h`.

Everything is over-approximated: a definition that might reach is listed, a name that might be unassigned is marked.
Plain Python, usable outside of GDB.
"""

from __future__ import annotations

import ast
from typing import Any, Dict, FrozenSet, Iterable, List, Optional, Set, Tuple, Union

from . import source_files, source_narrow, source_values
from . import source_syntax as syntax
from .source_files import Function
from .source_regions import Regions

UNASSIGNED = 0

# None: not reachable. Under a name: the definitions that may be current. Under "=" and a name: the integers that
# tests on every path here found it equal to, or what the source makes it of; UNTOLD where paths differ.
State = Optional[Dict[str, FrozenSet[Any]]]
NO_TEST = -(1 << 64)
UNTOLD: FrozenSet[Any] = frozenset({NO_TEST})
_MAX_NODES = 100_000
_MAX_TOLD_DEPTH = 3  # of loops in loops: each goes over its body once more


def flow_text(source: str, line: int, name: str) -> Optional[str]:
    """The flow of the function whose `def` line or decorator line is `line`; None when there is no such function."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _text_of(tree, line, name)


def flow_for_file(path: str, line: int, name: str, newer_than: Optional[float] = None) -> Optional[str]:
    """The same for a file; None when it cannot be read or was changed after `newer_than` (seconds, as time.time())."""
    tree = source_files.tree_of(path, newer_than)
    return None if tree is None else _text_of(tree, line, name)


def _text_of(tree: ast.Module, line: int, name: str) -> Optional[str]:
    try:
        function = source_files.function_at(tree, line, name)
        nodes = [] if function is None else syntax.all_nodes(function)
        if function is None or len(nodes) > _MAX_NODES:
            return None
        return _Flow(function, nodes, source_values.rebinds(tree)).text()
    except RecursionError:
        return None


def _join(left: State, right: State) -> State:
    if left is None or right is None:
        return right if left is None else left
    return {
        name: known | right[name] if name[0] != "=" else known if known == right[name] else UNTOLD
        for name, known in left.items()
    }


class _Loop:
    def __init__(self, depth: int) -> None:
        self.depth = depth  # number of try statements around it
        self.broken: State = None
        self.continued: State = None


class _Flow:
    def __init__(self, function: Function, nodes: List[ast.AST], strange: bool = False) -> None:
        """`nodes`: all of the function's, itself first. `strange`: len, max, min and range may be others' names."""
        self.function = function
        self.kinds = {type(node) for node in nodes[1:]}
        self.binds_within = ast.NamedExpr in self.kinds
        self.defs: List[Tuple[str, int, bool]] = []  # id - 1 -> name, line, in a loop
        self.literals: Dict[int, str] = {}
        self.returned: Set[str] = set()  # names that return statements give; "" for anything else
        self.held: Dict[int, str] = {}  # id of a def -> what it gives, where that has no place
        self.makers: Dict[int, str] = {}  # id of a def -> what makes its value
        self.read: Set[int] = set()  # ids of defs whose value is read as it is
        self.steps: Dict[int, str] = {}  # id of a def that a range gives -> its step, and start if that is a number
        self.ids: Dict[Tuple[int, str], int] = {}  # (node id, name) -> def
        self.statements: Dict[int, ast.AST] = {}  # line -> the statement that describes it
        self.shared: Set[int] = set()  # lines of several statements
        self.changing: Dict[int, FrozenSet[str]] = {}  # line -> names that its statement assigns
        self.bound: Dict[int, FrozenSet[str]] = {}  # of a statement: names that it assigns
        self.computes: Set[str] = set()  # names whose value is told by others somewhere
        self.facts: Dict[int, Dict[str, FrozenSet[Any]]] = {}
        self.owner: Dict[int, int] = {}  # line -> id of the statement that describes it
        self.inner = syntax.comprehended(nodes[1:])
        self.loops: List[_Loop] = []
        self.loop_depth = 0
        self.tries: List[State] = []  # what may have been seen when an exception left the body so far
        body = [] if isinstance(function, ast.Lambda) else function.body
        self.names = self._local_names(function, body, nodes)
        self.strange = strange
        nothing: Dict[str, FrozenSet[Any]] = {name: frozenset({UNASSIGNED}) for name in self.names}
        nothing.update({"=" + name: UNTOLD for name in self.names})
        state: State = nothing
        for argument in syntax.arguments(function.args):
            entry: source_values.Value = ("entry", argument.arg)
            state = self._define(state, argument, argument.arg, self._first_line(), value=entry)
        self.computes.clear()  # no other name follows from them yet
        self._describe_header(body, state)
        self._block(body, state)
        self.regions = Regions(body)

    # ---- text ----

    def text(self) -> str:
        last = getattr(self.function, "end_lineno", None) or self._first_line()
        lines = [f"function {self._first_line()} {last}"]
        for index, (name, line, in_loop) in enumerate(self.defs):
            lines.append(f"def {index + 1} {name} {line} {int(in_loop)}")
        arguments = [argument.arg for argument in syntax.arguments(self.function.args)]
        if arguments and [name for name, _, _ in self.defs[: len(arguments)]] == arguments:
            lines.append(f"arguments {len(arguments)}")
        lines += [f"inner {name} {first} {last}" for name, first, last in sorted(self.inner)]
        lines += [f"value {id} {literal}" for id, literal in sorted(self.literals.items())]
        lines += [f"held {id} {held}" for id, held in sorted(self.held.items())]
        lines += [f"made {id} {maker}" for id, maker in sorted(self.makers.items())]
        lines += [f"step {id} {step}" for id, step in sorted(self.steps.items())]
        narrow = source_narrow.narrow_names(self.function)
        for id, (name, line, _) in enumerate(self.defs, 1):
            lines += [f"narrow {id}"] if name in narrow and line != self._first_line() and id not in self.read else []
        lines += [f"returns {name}" for name in self.returned if len(self.returned) == 1 and name in self.names]
        if self.returned <= {"None"} and not isinstance(self.function, ast.Lambda) and not self._yields():
            lines.append("returns None")
        lines += self.regions.lines()
        for line in sorted(self.facts):
            for name, defs in sorted(self.facts[line].items()):
                if name[0] == "=":
                    is_told = NO_TEST in defs or ("entry", name[1:]) in defs and self._is_argument(line, name[1:])
                    lines += [] if is_told else self._told(line, name[1:], *defs)
                    continue
                ids = "".join([f" {id}" for id in sorted(defs) if id != UNASSIGNED])
                lines.append(f"at {line} {name} {'1' if UNASSIGNED in defs else '0'}{ids}")
        return "\n".join(lines) + "\n"

    def _is_argument(self, line: int, name: str) -> bool:
        """Is the name what came in, by no assignment?"""
        return all(id != UNASSIGNED and self.defs[id - 1][1] == self._first_line() for id in self.facts[line][name])

    def _told(self, line: int, name: str, known: Any) -> List[str]:
        if not isinstance(known, tuple):
            return [f"known {line} {name} {known}"]
        changing = self.changing.get(line)
        if changing is None:
            changing = self.changing[line] = syntax.header_names(self.statements[line], self.binds_within)
        if line in self.shared or not changing.isdisjoint({name, *source_values.mentioned(known)}):
            return []
        return [f"computed {line} {name} {source_values.text(known)}"]

    def _first_line(self) -> int:
        return self.function.lineno

    # ---- names and definitions ----

    def _local_names(self, function: Function, body: List[ast.stmt], nodes: List[ast.AST]) -> Set[str]:
        names = {argument.arg for argument in syntax.arguments(function.args)}
        excluded: Set[str] = set()
        has_scopes = not self.kinds.isdisjoint(syntax.INNER)
        for node in syntax.own_nodes(body) if has_scopes else nodes[1:]:
            if isinstance(node, ast.Global):
                excluded.update(node.names)
            names.update(syntax.bound_names(node))
        for node in nodes if ast.Nonlocal in self.kinds else ():
            if isinstance(node, ast.Nonlocal):  # a function inside may assign it at any time
                excluded.update(node.names)
        return names - excluded

    def _define(
        self,
        state: State,
        node: ast.AST,
        name: str,
        line: int,
        weak: bool = False,
        value: Optional[source_values.Value] = None,
    ) -> State:
        if state is None or name not in self.names:
            return state
        key = (id(node), name)
        number = self.ids.get(key)
        if number is None:
            self.defs.append((name, line, self.loop_depth > 0))
            number = self.ids[key] = len(self.defs)
        state = dict(state)
        state[name] = state[name] | {number} if weak else frozenset({number})
        self._compute(state, name, None if weak else value)
        self._seen(state)
        return state

    def _compute(self, state: Dict[str, FrozenSet[Any]], name: str, value: Optional[source_values.Value]) -> None:
        """The name is now this value of what was before; in place."""
        own = self._computed(state, name)
        old = source_values.before(name, value)
        if own is not None and (old is None or self.loop_depth == 0):  # in a loop the first turn's would not stay
            old = own
        if self.computes:
            for other in self.computes:
                known = self._computed(state, other) if other != name else None
                if known is not None and name in source_values.mentioned(known):
                    known = source_values.replaced(known, name, old)
                    state["=" + other] = UNTOLD if known is None else frozenset({known})
        value = None if value is None else source_values.replaced(value, name, own)
        state["=" + name] = UNTOLD if value is None else frozenset({value})
        if value is not None:
            self.computes.add(name)

    def _left_by(self, state: Dict[str, FrozenSet[Any]], name: str) -> Optional[source_values.Value]:
        """The same of what a turn has left, with the numbers that are known then."""
        told = self._computed(state, name)
        told = None if told is None else source_values.settled(told, lambda other: self._computed(state, other))
        return None if told == source_values.NONE else told

    @staticmethod
    def _computed(state: Dict[str, FrozenSet[Any]], name: str) -> Optional[source_values.Value]:
        (known, *_) = state["=" + name]
        return known if isinstance(known, tuple) else None

    def _seen(self, state: State) -> None:
        self.tries = [_join(seen, state) for seen in self.tries]

    def _undefine(self, state: State, name: str) -> State:
        if state is None or name not in self.names:
            return state
        state = dict(state)
        state[name] = frozenset({UNASSIGNED})
        self._compute(state, name, None)
        self._seen(state)
        return state

    def _targets(
        self,
        state: State,
        target: ast.AST,
        value: Optional[ast.AST] = None,
        told: Optional[source_values.Value] = None,
    ) -> State:
        """`told`: the value, of what was before."""
        if isinstance(target, ast.Name):
            state = self._define(state, target, target.id, target.lineno, value=told)
            number = self.ids.get((id(target), target.id))
            literal = syntax.literal(value)
            if number is not None and literal is not None:
                self.literals[number] = literal
            held = syntax.held(value)
            if number is not None and held is not None:
                self.held[number] = held
            if number is not None and source_narrow.is_whole(value):
                self.read.add(number)
            maker = syntax.maker(value)
            if number is not None and maker is not None:
                self.makers[number] = maker
        elif isinstance(target, (ast.Tuple, ast.List)):
            values: List[Optional[ast.AST]] = [None] * len(target.elts)
            if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(values):
                if not any(isinstance(e, ast.Starred) for e in (*value.elts, *target.elts)):
                    values = list(value.elts)
            bound = {name for element in target.elts for name in syntax.bound_names(element)}
            before = state
            for element, part in zip(target.elts, values):
                told = source_values.assigned(part, self.names, self.strange)
                for name in bound & (frozenset() if told is None else source_values.mentioned(told)):
                    if told is not None:  # of what was before all of them
                        own = None if before is None else self._computed(before, name)
                        told = source_values.replaced(told, name, own)
                if told is not None and not bound.isdisjoint(source_values.mentioned(told)):
                    told = None
                state = self._targets(state, element, part, told)
        elif isinstance(target, ast.Starred):
            state = self._targets(state, target.value)
        else:
            state = self._expression(state, target)
        return state

    def _expression(self, state: State, *nodes: Optional[ast.AST]) -> State:
        """Assignment expressions within; those that may be skipped or repeated only add a definition."""
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
        return state

    # ---- facts ----

    def _record(self, statement: ast.stmt, first: int, last: int, state: State) -> None:
        if state is None:
            return
        for line in range(first, last + 1):
            if self.owner.setdefault(line, id(statement)) != id(statement):
                self.shared.add(line)
                continue
            self.statements[line] = statement
            known = self.facts.get(line)
            self.facts[line] = dict(state) if known is None else _join(known, state)  # type: ignore[assignment]

    def _describe_header(self, body: List[ast.stmt], state: State) -> None:
        decorators = getattr(self.function, "decorator_list", [])
        first = min([self._first_line(), *(decorator.lineno for decorator in decorators)])
        last = max(self._first_line(), body[0].lineno - 1) if body else self._first_line()
        if body and body[0].lineno == self._first_line():
            last = self._first_line() - 1  # def f(): x = 1
        self._record(self.function, first, last, state)  # type: ignore[arg-type]

    # ---- statements ----

    def _block(self, body: Iterable[ast.stmt], state: State) -> State:
        for statement in body:
            state = self._statement(statement, state)
        return state

    def _statement(self, statement: ast.stmt, state: State) -> State:
        if state is None:
            return None
        self._seen(state)
        method = getattr(self, "_do_" + type(statement).__name__, None)
        inner = syntax.first_inner_line(statement)
        end = getattr(statement, "end_lineno", None) or statement.lineno
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
        last = end if inner is None else max(statement.lineno, inner - 1)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            last = statement.lineno  # the lines below are another scope's
        if not isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):  # those join the next iterations first
            self._record(statement, first, last, state)
        if method is not None:
            after: State = method(statement, state)
            return after
        return self._expression(state, *ast.iter_child_nodes(statement))

    def _do_Assign(self, node: ast.Assign, state: State) -> State:
        state = self._expression(state, node.value)
        told = source_values.assigned(node.value, self.names, self.strange) if len(node.targets) == 1 else None
        for target in node.targets:
            state = self._targets(state, target, node.value, told)
        return state

    def _do_AnnAssign(self, node: ast.AnnAssign, state: State) -> State:
        if node.value is None:
            return state
        told = source_values.assigned(node.value, self.names, self.strange)
        return self._targets(self._expression(state, node.value), node.target, node.value, told)

    def _do_AugAssign(self, node: ast.AugAssign, state: State) -> State:
        told = source_values.value_of(ast.BinOp(node.target, node.op, node.value), self.names, self.strange)
        return self._targets(self._expression(state, node.value), node.target, None, told)

    def _do_Delete(self, node: ast.Delete, state: State) -> State:
        for target in node.targets:
            for name in [n for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)]:
                state = self._undefine(state, name.id)
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
        self._seen(self._expression(state, node.value))
        return None

    def _yields(self) -> bool:
        return not self.kinds.isdisjoint((ast.Yield, ast.YieldFrom))

    def _do_Raise(self, node: ast.Raise, state: State) -> State:
        self._seen(self._expression(state, node.exc, node.cause))
        return None

    def _do_Break(self, _node: ast.Break, state: State) -> State:
        self._seen(state)
        if self.loops:
            self.loops[-1].broken = _join(self.loops[-1].broken, state)
        return None

    def _do_Continue(self, _node: ast.Continue, state: State) -> State:
        self._seen(state)
        if self.loops:
            self.loops[-1].continued = _join(self.loops[-1].continued, state)
        return None

    def _do_If(self, node: ast.If, state: State) -> State:
        state = self._expression(state, node.test)
        taken, passed = self._narrow(state, node.test, True), self._narrow(state, node.test, False)
        taken, passed = self._block(node.body, taken), self._block(node.orelse, passed)
        test = source_values.test_of(node.test, self.names, self.strange)
        after = _join(taken, passed)
        if taken is None or passed is None or after is None or test is None:
            return after
        bound = self._bound_by(node)
        for name in bound & source_values.mentioned(test):  # the test is of what was before
            own = None if state is None else self._computed(state, name)
            test = None if test is None else source_values.replaced(test, name, own)
        if test is None or not bound.isdisjoint(source_values.mentioned(test)):
            return after
        for name in bound & self.names:
            told = source_values.chosen(test, self._computed(taken, name), self._computed(passed, name))
            if told is not None:
                after["=" + name] = frozenset({told})
                self.computes.add(name)
        return after

    def _bound_by(self, node: ast.AST) -> FrozenSet[str]:
        bound = self.bound.get(id(node))
        if bound is None:
            names = (n for each in syntax.all_nodes(node) for n in syntax.bound_names(each))
            bound = self.bound[id(node)] = frozenset(names)
        return bound

    def _narrow(self, state: State, test: ast.AST, holds: bool) -> State:
        """What `test` says of integers when it holds, or does not."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._narrow(state, test.operand, not holds)
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) == holds:
            for part in test.values:  # all of them hold (or, under `or`, none does)
                state = self._narrow(state, part, holds)
            return state
        if state is None or not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return state
        if not isinstance(test.ops[0], ast.Eq if holds else ast.NotEq):
            return state
        for name, other in ((test.left, test.comparators[0]), (test.comparators[0], test.left)):
            literal = syntax.literal(other)
            # 0 is left out: it also equals -0.0, which reads otherwise
            if isinstance(name, ast.Name) and name.id in self.names and literal and literal.lstrip("-").isdigit():
                own = self._computed(state, name.id)
                if own is not None and own[0] == "number":
                    continue  # told already, and still told behind the test
                if int(literal) and not isinstance(getattr(other, "value", None), bool):
                    state = dict(state)
                    state["=" + name.id] = frozenset({int(literal)})
        return state

    def _do_With(self, node: Union[ast.With, ast.AsyncWith], state: State) -> State:
        for item in node.items:
            state = self._expression(state, item.context_expr)
            if item.optional_vars is not None:
                state = self._targets(state, item.optional_vars)
        self.tries.append(state)  # a context manager may swallow what the body raises
        after = self._block(node.body, state)
        after = _join(after, self.tries.pop())
        if self.owner.get(node.lineno) == id(node):  # leaving comes back to the first line
            self._record(node, node.lineno, max(node.lineno, node.body[0].lineno - 1), after)
        return after

    _do_AsyncWith = _do_With

    def _do_For(self, node: Union[ast.For, ast.AsyncFor], state: State) -> State:
        state = self._expression(state, node.iter)
        return self._repeat(node, state, node.target, None)

    _do_AsyncFor = _do_For

    def _do_While(self, node: ast.While, state: State) -> State:
        return self._repeat(node, state, None, node.test)

    def _repeat(
        self,
        node: Union[ast.For, ast.AsyncFor, ast.While],
        state: State,
        target: Optional[ast.AST],
        test: Optional[ast.AST],
    ) -> State:
        head = state
        told: Dict[str, FrozenSet[Any]] = {}  # what is told in a turn of what the turn before has left
        last = max(node.lineno, node.body[0].lineno - 1)
        while True:
            self._forget(node)
            loop = _Loop(len(self.tries))
            self.loops.append(loop)
            self.loop_depth += 1
            start = {**head, **told} if told and target is None and head is not None else head
            self._record(node, node.lineno, last, start)
            entered = self._expression(start, test)
            leaving = None if syntax.is_true(test) else entered
            if target is not None:
                entered = self._targets(entered, target)
                self._note_step(node.iter, target)  # type: ignore[union-attr]
            if told and target is not None and entered is not None:
                entered = {**entered, **told}
            self.computes.update(name[1:] for name in told)
            after = self._block(node.body, entered)
            self.loop_depth -= 1
            self.loops.pop()
            back = _join(after, loop.continued)
            joined = _join(head, back)
            if joined != head:
                head, told = joined, {}
                continue
            more = {} if told else self._earlier(node, target, state, back)
            if not more and not told and target is None:
                more = self._counted(node, state, back)
            if not more:
                break
            told = more
        if target is not None:
            leaving = self._exhausted(node, state, back, leaving)  # type: ignore[arg-type]
        elif loop.broken is None:
            leaving = self._counted_out(node, state, leaving)
        left = _join(self._block(node.orelse, leaving), loop.broken)
        return left if target is not None else self._limited(node, state, left)  # type: ignore[arg-type]

    def _limited(self, node: ast.While, state: State, left: State) -> State:
        """Behind a loop that counts up to a limit: the count."""
        counter = self._counter(node)
        limit = None if counter is None else syntax.limit(node, counter)
        first = None if counter is None or state is None else self._computed(state, counter)
        if left is None or counter is None or limit is None or first is None:
            return left
        if not source_values.is_whole_number(first):
            return left
        self.computes.add(counter)
        return {**left, "=" + counter: frozenset({("number", str(max(int(first[1]), limit) + 1))})}

    def _counted_out(self, node: ast.AST, state: State, leaving: State) -> State:
        """Where `while count < limit`, which each turn begins by adding 1, is over by its test: the count."""
        counter = self._counter(node)
        first = None if counter is None or state is None else self._computed(state, counter)
        if counter is None or first is None or leaving is None:
            return leaving
        limit = source_values.upper_limit(node, counter, self.names, self.strange)
        if limit is None or not self._bound_by(node).isdisjoint(
            source_values.mentioned(limit) | source_values.mentioned(first)
        ):
            return leaving
        self.computes.add(counter)
        return {**leaving, "=" + counter: frozenset({source_values.greatest(first, limit)})}

    def _forget(self, node: Union[ast.For, ast.AsyncFor, ast.While]) -> None:
        """The last pass over a loop tells all: it starts from what may be at the loop's head."""
        end = getattr(node, "end_lineno", None) or node.lineno - 1
        for line in range(node.lineno, end + 1):
            self.facts.pop(line, None)

    def _earlier(
        self, node: Union[ast.For, ast.AsyncFor, ast.While], target: Optional[ast.AST], state: State, back: State
    ) -> Dict[str, FrozenSet[Any]]:
        """Of a range's turn, what the turn before or what was before the loop has left: the number says which."""
        if not isinstance(node, ast.For) or not isinstance(target, ast.Name) or state is None or back is None:
            return {}
        turn = source_values.turn(node.iter, target.id, self.names, self.strange)
        if turn is None or self.loop_depth > _MAX_TOLD_DEPTH:
            return {}
        is_later, before = turn
        bound = self._bound_by(node)
        number = self.ids.get((id(target), target.id), UNASSIGNED)
        if back[target.id] != frozenset({number}) or not bound.isdisjoint(
            source_values.mentioned(is_later) - {target.id}
        ):
            return {}
        found = self._summed(node, target.id, state)
        for name in (bound & self.names) - {target.id, *(name[1:] for name in found)}:
            then, other = self._left_by(back, name), self._computed(state, name)
            if then is not None:
                then = source_values.replaced(then, target.id, before)
            if other is not None and target.id in source_values.mentioned(other):
                other = None
            told = None if then is None and other is None else source_values.chosen(is_later, then, other)
            if told is not None:
                found["=" + name] = frozenset({told})
        return found

    def _summed(self, node: ast.For, index: str, state: Dict[str, FrozenSet[Any]]) -> Dict[str, FrozenSet[Any]]:
        """Of a range's turn, what the turns before have added to whole numbers: as the number of turns says."""
        done = source_values.turns_done(node.iter, index, self.names, self.strange)
        bound = self._bound_by(node)
        found: Dict[str, FrozenSet[Any]] = {}
        if done is None or not bound.isdisjoint(source_values.mentioned(done) - {index}):
            return found
        for name, sign, value in syntax.sums(node):
            first = self._computed(state, name)
            added = source_values.value_of(value, self.names, self.strange)
            if first is None or added is None or name not in self.names or name == index:
                continue
            if bound.isdisjoint(source_values.mentioned(first) | source_values.mentioned(added) - {index}):
                told = source_values.sum_of(first, sign, added, index, done)
                found.update({} if told is None else {"=" + name: frozenset({told})})
        return found

    def _counted(self, node: ast.AST, state: State, back: State) -> Dict[str, FrozenSet[Any]]:
        """The same at the header of a loop that counts its turns: the count says whether there was one."""
        if state is None or back is None or self.loop_depth > _MAX_TOLD_DEPTH:
            return {}
        counter = self._counter(node)
        first = None if counter is None else self._computed(state, counter)
        if counter is None or first is None or not source_values.is_whole_number(first):
            return {}
        found: Dict[str, FrozenSet[Any]] = {}
        for name in (self._bound_by(node) & self.names) - {counter}:
            then, other = self._left_by(back, name), self._computed(state, name)
            if then is not None or other is not None:
                told = source_values.chosen(("!=", ("name", counter), first), then, other)
                found.update({} if told is None else {"=" + name: frozenset({told})})
        return found

    def _counter(self, node: ast.AST) -> Optional[str]:
        times: Dict[str, int] = {}
        for name in (n for each in syntax.all_nodes(node) for n in syntax.bound_names(each)):
            times[name] = times.get(name, 0) + 1
        name = syntax.counter(node, times)
        return name if name in self.names else None

    def _note_step(self, over: ast.AST, target: ast.AST) -> None:
        steps = source_values.steps(over, self.names, self.strange)
        number = self.ids.get((id(target), target.id)) if isinstance(target, ast.Name) else None
        if steps is not None and number is not None:
            self.steps[number] = " ".join(word for word in steps if word is not None)

    def _exhausted(self, node: ast.For, state: State, back: State, leaving: State) -> State:
        """Behind a range's last turn, if it has one: what the turn has left."""
        turns = source_values.turns(node.iter, self.names, self.strange)
        if turns is None or not isinstance(node.target, ast.Name):
            return leaving
        if state is None or back is None or leaving is None:
            return leaving
        bound = self._bound_by(node)
        test, last = turns
        if not bound.isdisjoint(source_values.mentioned(test) | source_values.mentioned(last)):
            return leaving
        index = node.target.id
        is_own = back[index] == frozenset({self.ids.get((id(node.target), index), UNASSIGNED)})
        after = dict(leaving)
        for name in bound & self.names:
            told = self._left_by(back, name)
            if name == index:
                told = last if is_own else None
            elif told is not None:
                told = source_values.replaced(told, index, last if is_own else None)
            told = source_values.chosen(test, told, self._computed(state, name))
            if told is not None:
                after["=" + name] = frozenset({told})
                self.computes.add(name)
        return after

    def _do_Try(self, node: ast.Try, state: State) -> State:
        jumps = [(loop, loop.broken, loop.continued) for loop in self.loops]
        self.tries.append(state)  # for finally: everything seen in body, handlers and else
        self.tries.append(state)  # for the handlers: everything seen in the body
        after = self._block(node.body, state)
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
            after = _join(after, caught)
        seen = self.tries.pop()
        if not node.finalbody:
            return after
        out = self._block(node.finalbody, _join(after, seen))
        for loop, broken, continued in jumps:  # a break or continue inside passes through the finally block
            if loop.broken != broken:
                loop.broken = _join(loop.broken, out)
            if loop.continued != continued:
                loop.continued = _join(loop.continued, out)
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
            tried = self._expression(tried, case.guard)
            after = _join(after, self._block(case.body, tried))
            state = tried  # a pattern that failed may have bound names
        return _join(after, state)

"""The states after loops, and in an iteration after another: each body is analysed until its state no longer changes.
Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
from typing import Any, Dict, FrozenSet, Iterable, List, Optional, Set, Tuple, Union

from . import formulas, loop_formulas, syntax
from .definitions import UNASSIGNED, UNKNOWN, Definitions, State, join
from .files import Function

_MAX_KNOWN_DEPTH = 3  # depth of nested loops up to which facts are found: each goes over its body once more


class _Loop:
    def __init__(self, depth: int) -> None:
        self.depth = depth  # number of try statements around the loop
        self.broken: State = None
        self.continued: State = None


class Loops(Definitions):
    """The analysis of loops. `ranges`: the file's names for Numba's prange."""

    def __init__(
        self, function: Function, nodes: List[ast.AST], strange: bool, ranges: FrozenSet[str], types: str
    ) -> None:
        super().__init__(function, nodes, strange, types)
        self.ranges = ranges
        self.parallel: Set[int] = set()  # ids of defs that a prange gives
        self.loops: List[_Loop] = []
        # id of a def that a range gives -> the step of the range, and its start if that is a number
        self.steps: Dict[int, Tuple[int, Optional[int]]] = {}

    def _block(self, body: Iterable[ast.stmt], state: State) -> State:
        raise NotImplementedError

    def _record(self, statement: ast.stmt, first: int, last: int, state: State) -> None:
        raise NotImplementedError

    def _forget(self, node: Union[ast.For, ast.AsyncFor, ast.While]) -> None:
        raise NotImplementedError

    def _do_Break(self, _node: ast.Break, state: State) -> State:
        self._passed(state)
        if self.loops:
            self.loops[-1].broken = join(self.loops[-1].broken, state)
        return None

    def _do_Continue(self, _node: ast.Continue, state: State) -> State:
        self._passed(state)
        if self.loops:
            self.loops[-1].continued = join(self.loops[-1].continued, state)
        return None

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
        computed: Dict[str, FrozenSet[Any]] = {}  # facts about the state that the previous iteration has left
        last = max(node.lineno, node.body[0].lineno - 1)
        while True:
            self._forget(node)
            loop = _Loop(len(self.tries))
            self.loops.append(loop)
            self.loop_depth += 1
            start = {**head, **computed} if computed and target is None and head is not None else head
            self._record(node, node.lineno, last, start)
            if self._raises(node, start):  # any iteration's header may raise
                self._seen(start)
            entered = self._expression(start, test)
            leaving = None if syntax.is_true(test) else entered
            if target is not None:
                entered = self._targets(entered, target)
                self._note_step(node, target)  # type: ignore[arg-type]
            if computed and target is not None and entered is not None:
                entered = {**entered, **computed}
            self.computes.update(name[1:] for name in computed)
            after = self._block(node.body, entered)
            self.loop_depth -= 1
            self.loops.pop()
            back = join(after, loop.continued)
            joined = join(head, back)
            if joined != head:
                head, computed = joined, {}
                continue
            more = {} if computed else self._earlier(node, target, state, back)
            if not more and not computed and target is None:
                more = self._earlier_by_count(node, state, back)
            if not more:
                break
            computed = more
        if target is not None:
            leaving = self._after_range(node, state, back, leaving)  # type: ignore[arg-type]
        elif loop.broken is None:
            leaving = self._after_test(node, state, leaving)
        left = join(self._block(node.orelse, leaving), loop.broken)
        return left if target is not None else self._after_limit(node, state, left)  # type: ignore[arg-type]

    def _after_limit(self, node: ast.While, state: State, left: State) -> State:
        """Return the state after a loop that counts up to a limit, with the count in it."""
        counter = self._counter(node)
        limit = None if counter is None else syntax.limit(node, counter)
        first = None if counter is None or state is None else self._computed(state, counter)
        if left is None or counter is None or limit is None or first is None:
            return left
        if not formulas.is_whole_number(first):
            return left
        self.computes.add(counter)
        return self._with_count(left, counter, ("number", str(max(int(first[1]), limit) + 1)))

    def _after_test(self, node: ast.AST, state: State, leaving: State) -> State:
        """Return the state after `while count < limit` has ended by its test, with the count in it. Each iteration
        begins by adding 1."""
        counter = self._counter(node)
        first = None if counter is None or state is None else self._computed(state, counter)
        if counter is None or first is None or leaving is None:
            return leaving
        limit = loop_formulas.upper_limit(node, counter, self.names, self.strange)
        if limit is None or not self._bound_by(node).isdisjoint(formulas.mentioned(limit) | formulas.mentioned(first)):
            return leaving
        self.computes.add(counter)
        return self._with_count(leaving, counter, formulas.greatest(first, limit))

    def _with_count(self, left: Dict[str, FrozenSet[Any]], counter: str, count: formulas.Value) -> State:
        """Return the state after a loop, with its count. Names whose values follow from the count stay known when the
        count is assigned anew."""
        after = {**left, "=" + counter: frozenset({count})}
        for name in self.computes if formulas.is_whole_number(count) else ():
            computed = self._computed(left, name)
            if computed is not None and name != counter and counter in formulas.mentioned(computed):
                known = self._value_after_iteration({**after, "=" + name: left["=" + name]}, name)
                after["=" + name] = UNKNOWN if known is None else frozenset({known})
        return after

    def _earlier(
        self, node: Union[ast.For, ast.AsyncFor, ast.While], target: Optional[ast.AST], state: State, back: State
    ) -> Dict[str, FrozenSet[Any]]:
        """Return, for each name, the value that a range's previous iteration has left or, in the first iteration, the
        value before the loop: the index says which."""
        others = frozenset() if target is None else self._bound_by(target)
        target = loop_formulas.index_of(node) if isinstance(node, ast.For) else None
        if not isinstance(node, ast.For) or target is None or state is None or back is None:
            return {}
        previous_iteration = loop_formulas.previous_iteration(node.iter, target.id, self.names, self.strange)
        if previous_iteration is None or self.loop_depth > _MAX_KNOWN_DEPTH:
            return {}
        is_later, before = previous_iteration
        bound = self._bound_by(node)
        number = self.ids.get((id(target), target.id), UNASSIGNED)
        if back[target.id] != frozenset({number}) or not bound.isdisjoint(formulas.mentioned(is_later) - {target.id}):
            return {}
        found = self._summed(node, target.id, state)
        for name in (bound & self.names) - {target.id, *(name[1:] for name in found)}:
            then, other = self._value_after_iteration(back, name), self._computed(state, name)
            if then is not None:
                then = formulas.replaced(then, target.id, before)
            if then is not None and not (others - {target.id}).isdisjoint(formulas.mentioned(then)):
                then = None
            if other is not None and not others.isdisjoint(formulas.mentioned(other)):
                other = None
            computed = None if then is None and other is None else formulas.chosen(is_later, then, other)
            if computed is not None:
                found["=" + name] = frozenset({computed})
        return found

    def _summed(self, node: ast.For, index: str, state: Dict[str, FrozenSet[Any]]) -> Dict[str, FrozenSet[Any]]:
        """Return the sums that previous iterations of a range have made in whole numbers, from the number of those
        iterations."""
        done = loop_formulas.iterations_done(node.iter, index, self.names, self.strange)
        bound = self._bound_by(node)
        found: Dict[str, FrozenSet[Any]] = {}
        if done is None or not bound.isdisjoint(formulas.mentioned(done) - {index}):
            return found
        for name, sign, value in syntax.sums(node):
            first = self._computed(state, name)
            added = formulas.value_of(value, self.names, self.strange)
            if first is None or added is None or name not in self.names or name == index:
                continue
            if bound.isdisjoint(formulas.mentioned(first) | formulas.mentioned(added) - {index}):
                computed = loop_formulas.sum_of(first, sign, added, index, done)
                found.update({} if computed is None else {"=" + name: frozenset({computed})})
        return found

    def _earlier_by_count(self, node: ast.AST, state: State, back: State) -> Dict[str, FrozenSet[Any]]:
        """Like _earlier(), at the header of a loop that counts its iterations: the count says whether there was a
        previous one."""
        if state is None or back is None or self.loop_depth > _MAX_KNOWN_DEPTH:
            return {}
        counter = self._counter(node)
        first = None if counter is None else self._computed(state, counter)
        if counter is None or first is None or not formulas.is_whole_number(first):
            return {}
        found: Dict[str, FrozenSet[Any]] = {}
        for name in (self._bound_by(node) & self.names) - {counter}:
            then, other = self._value_after_iteration(back, name), self._computed(state, name)
            if then is not None or other is not None:
                computed = formulas.chosen(("!=", ("name", counter), first), then, other)
                found.update({} if computed is None else {"=" + name: frozenset({computed})})
        return found

    def _counter(self, node: ast.AST) -> Optional[str]:
        times: Dict[str, int] = {}
        for name in syntax.all_bound_names(node):
            times[name] = times.get(name, 0) + 1
        counter = syntax.counter(node, times)
        return counter if counter in self.names else None

    def _note_step(self, node: ast.For, target: ast.AST) -> None:
        # A generator goes on in a new frame, in which the range's variables are not those that count the loop.
        if not self.kinds.isdisjoint(syntax.YIELDS) and any(isinstance(n, syntax.YIELDS) for n in ast.walk(node)):
            return
        over = node.iter
        parallel = loop_formulas.is_parallel(over, self.names, self.ranges)
        steps = loop_formulas.steps(over, self.names, self.strange, parallel)
        number = self.ids.get((id(target), target.id)) if isinstance(target, ast.Name) else None
        if parallel and number is not None:
            self.parallel.add(number)
        if steps is not None and number is not None:
            self.steps[number] = steps

    def _after_range(self, node: ast.For, state: State, back: State, leaving: State) -> State:
        """Return the state after the last iteration over a range, or over a variable's items, if there is one."""
        last_number = loop_formulas.last_number(node.iter, self.names, self.strange)
        test, last = last_number or (loop_formulas.items(node.iter, self.names, self.strange), None)
        counter = loop_formulas.index_of(node)
        if test is None or (last is not None and counter is None):
            return leaving
        if state is None or back is None or leaving is None:
            return leaving
        bound = self._bound_by(node)
        if not bound.isdisjoint(formulas.mentioned(test) | formulas.mentioned(last or test)):
            return leaving
        lasts: Dict[str, Optional[formulas.Value]] = dict.fromkeys(self._bound_by(node.target))
        if last is not None and counter is not None:
            is_own = back[counter.id] == frozenset({self.ids.get((id(counter), counter.id), UNASSIGNED)})
            lasts[counter.id] = last if is_own else None
        after = dict(leaving)
        for name in bound & self.names:
            computed = lasts[name] if name in lasts else self._value_after_iteration(back, name)
            for index, value in lasts.items() if name not in lasts else ():
                computed = None if computed is None else formulas.replaced(computed, index, value)
            computed = formulas.chosen(test, computed, self._computed(state, name))
            if computed is not None:
                after["=" + name] = frozenset({computed})
                self.computes.add(name)
        return after

"""The facts about a function from its source, as JSON: docs/schema/flow.json, which program/source/flow_json.h reads.
Plain Python, usable outside of GDB."""

from __future__ import annotations

import ast
import json
from typing import Any, Dict, FrozenSet, Iterable, Iterator, List, Optional, Tuple

from . import files, folded, formulas, narrow_types, negated, syntax
from .definitions import NO_TEST, UNASSIGNED
from .files import Function
from .flow import Flow
from .statements import passes, stores
from .statements.accesses import Accesses
from .statements.regions import Regions, finals, leaves

_MAX_NODES = 100_000
Lines = Dict[str, List[Tuple[int, int]]]  # lines of functions, by the names that they bind


def flow_of_source(source: str, line: int, name: str) -> Optional[Dict[str, Any]]:
    """Return the flow of the function whose `def` line or decorator line is `line`; None if there is no such function.
    `name`: the name, perhaps followed by the types of its arguments, as in "f(int64, bool)"."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _flow_of(tree, line, name)


def flow_for_file(path: str, line: int, name: str, newer_than: Optional[float] = None) -> Optional[str]:
    """Like flow_of_source(), for a file and as JSON; None if the file cannot be read, or was changed after `newer_than`
    (as time.time())."""
    tree = files.tree_of(path, newer_than)
    flow = None if tree is None else _flow_of(tree, line, name)
    return None if flow is None else json.dumps(flow, separators=(",", ":"))


def _flow_of(tree: ast.Module, line: int, name: str) -> Optional[Dict[str, Any]]:
    name, _, types = name.partition("(")
    try:
        function = files.function_at(tree, line, name)
        nodes = [] if function is None else syntax.all_nodes(function)
        if function is None or len(nodes) > _MAX_NODES:
            return None
        strange, ranges = formulas.rebinds(tree), formulas.parallel_ranges(tree)
        outer = syntax.outer_names(tree, function)
        flow = Flow(function, nodes, strange, ranges, types[:-1])
        return _Facts(flow, nodes, types[:-1]).as_json(tree, outer)
    except RecursionError:
        return None


class _Facts:
    """The facts about one function. `nodes`: all its nodes, itself first; `types`: its arguments' types, if they are
    known."""

    def __init__(self, flow: Flow, nodes: List[ast.AST], types: str) -> None:
        self.flow = flow
        self.function: Function = flow.function
        self.first = self.function.lineno
        self.last: int = getattr(self.function, "end_lineno", None) or self.first
        self.inner = syntax.comprehended(nodes[1:])
        self.accesses = Accesses(self.function, nodes, flow.names, flow.strange, types)
        self.facts = sorted(flow.facts.items())  # by line
        self.changing: Dict[int, FrozenSet[str]] = {}  # line -> names that its statement assigns
        self.formulas: Dict[str, int] = {}  # expression -> its number
        self.numbers: Dict[formulas.Value, int] = {}  # value -> the number of its expression

    def as_json(self, tree: ast.Module, outer: Iterable[str] = ()) -> Dict[str, Any]:
        """Return the facts. `tree`: the file; `outer`: the names of the functions around this one."""
        bodies, inlines = syntax.bodies(tree)  # if `inlines`, Numba may inline any of them, not only those in this one
        arguments = [argument.arg for argument in syntax.arguments(self.function.args)]
        is_first = [name for name, _, _ in self.flow.defs[: len(arguments)]] == arguments
        flow: Dict[str, Any] = {
            **_lines(self.first, self.last),
            "arguments": len(arguments) if is_first else 0,
            "positional": len([*getattr(self.function.args, "posonlyargs", []), *self.function.args.args])
            if is_first
            else 0,
            "asks": syntax.asks(self.function),
            "own": [_lines(*lines) for lines in self._own(bodies if inlines else {})],
            "within": [
                {"function": function, "name": name, **_lines(*lines)}
                for function, name, *lines in syntax.inner_names(self.function)
            ],
            "outer": list(outer),
            "inner": [{"name": name, **_lines(*lines)} for name, *lines in sorted(self.inner)],
            "hidden": [{"name": name, **_lines(*lines)} for name, *lines in self._hidden(tree)],
            "defs": self._defs(len(arguments)),
            "regions": Regions(self.flow.body).facts(),
            "finals": list(finals(ast.Module(self.flow.body, []))),
            "leaves": leaves(self.flow.body),
            "stores": stores.facts(self.flow.body),
            "passes": passes.facts(self.flow.body, self.flow.shared),
            "accesses": self.accesses.facts(self.flow.body),
            "leads": self.accesses.leads,
            "spans": [_lines(*lines) for lines in sorted(self.flow.spans.items())],
            "at": [fact for name in sorted(self.flow.names) for fact in self._at(name)],
        }
        flow["returns"] = self._returns()
        flow["formulas"] = list(self.formulas)  # after all facts, which number the formulas
        return {key: value for key, value in flow.items() if value}

    def _defs(self, narguments: int) -> List[Dict[str, Any]]:
        """Describe the definitions. The first `narguments` are the arguments."""
        narrow = narrow_types.narrow_names(self.function)
        other_sign = negated.negated_names(self.function)
        read_once = folded.folded_names(self.function) if self.flow.chosen else frozenset()
        found: List[Dict[str, Any]] = []
        for id, (name, line, in_loop) in enumerate(self.flow.defs, 1):
            held, held_name = self.flow.held.get(id, ("", ""))
            step, start = self.flow.steps.get(id, (0, None))
            is_asked = id <= narguments or line != self.first
            entry: Dict[str, Any] = {
                "name": name,
                "line": line,
                "in_loop": in_loop or None,
                "literal": self.flow.literals.get(id),
                "held": held or None,
                "of": held_name if held_name or held == "text" else None,
                "maker": self.flow.makers.get(id),
                "gives": self._formula(self.flow.gives[id]) if id in self.flow.gives else None,
                "step": step or None,
                "start": start,
                "is_parallel": id in self.flow.parallel or None,
                "is_narrow": (name in narrow and is_asked and id not in self.flow.read) or None,
                "is_negated": name in other_sign or None,
                "is_folded": (id in self.flow.chosen and name in read_once) or None,
            }
            found.append({key: value for key, value in entry.items() if value is not None})
        return found

    def _returns(self) -> Optional[str]:
        """Return the one variable that each return statement returns, "None" if each returns nothing, else None."""
        if self.flow.returned <= {"None"} and not isinstance(self.function, ast.Lambda) and not self.flow.yields():
            return "None"
        name = min(self.flow.returned) if len(self.flow.returned) == 1 else ""
        return name if name in self.flow.names else None

    def _at(self, name: str) -> List[Dict[str, Any]]:
        """Return the facts about the name at the starts of lines; each fact holds for some successive lines."""
        found: List[Dict[str, Any]] = []
        before: Any = None
        for line, facts in self.facts:
            (entry,) = facts["=" + name]
            fact = (facts[name], self._value_at(line, name, entry))
            if fact == before and found[-1]["last"] == line - 1:
                found[-1]["last"] = line
                continue
            before = fact
            defs = sorted(id for id in facts[name] if id != UNASSIGNED)
            maybe = {"maybe_unassigned": True} if UNASSIGNED in facts[name] else {}
            found.append({"name": name, **_lines(line, line), **maybe, "defs": defs, **fact[1]})
        return found

    def _value_at(self, line: int, name: str, entry: Any) -> Dict[str, Any]:
        """Return the value that the name is known to have at the start of the line."""
        if entry == NO_TEST or entry == ("entry", name) and self._is_argument(line, name):
            return {}
        if not isinstance(entry, tuple):
            return {"known": str(entry)}
        changing = self.changing.get(line)
        if changing is None:
            changing = self.changing[line] = syntax.header_names(self.flow.statements[line], self.flow.binds_within)
        if line in self.flow.shared or not changing.isdisjoint({name, *formulas.mentioned(entry)}):
            return {}
        return {"computed": self._formula(entry)}

    def _formula(self, value: formulas.Value) -> int:
        """Return the number of the formula among the flow's formulas."""
        number = self.numbers.get(value)
        if number is None:
            number = self.formulas.setdefault(formulas.expression(value), len(self.formulas))
            self.numbers[value] = number
        return number

    def _own(self, others: Lines) -> List[Tuple[int, int]]:
        """Return the ranges of lines that the function's code may have."""
        decorators = [decorator.lineno for decorator in getattr(self.function, "decorator_list", [])]
        found = {lines for ranges in others.values() for lines in ranges}
        return [(min([self.first, *decorators]), self.last), *sorted(found)]

    def _hidden(self, tree: ast.Module) -> Iterator[Tuple[str, int, int]]:
        """Yield this function's names on the lines of other functions that have the same names."""
        bodies, inlines = syntax.bodies(tree)
        begin, end = self.first, self.last
        within = syntax.lines_within(tree, begin, end)
        for name in sorted(self.flow.names) if within or inlines else ():
            for first, last in bodies.get(name, ()):
                if (first, last) in within or inlines and not (first <= end and begin <= last):
                    yield name, first, last

    def _is_argument(self, line: int, name: str) -> bool:
        """True if the name still has the argument's value, with no assignment."""
        return all(id != UNASSIGNED and self.flow.defs[id - 1][1] == self.first for id in self.flow.facts[line][name])


def _lines(first: int, last: int) -> Dict[str, int]:
    return {"first": first, "last": last}

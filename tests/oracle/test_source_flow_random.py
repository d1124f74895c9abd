"""The flow of variables by the source, for random functions: the definitions that are current at a line, and their
formulas, against the interpreter."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.oracle.source_flow import check_computed, check_definitions, events_of, flow_of

NAMES = ("x", "y", "z", "w")
ARGUMENTS = ("a", "b")
PROGRAMS = 60  # programs for a seed


class Writer:
    """A writer of functions of numbers and tuples in which names are bound in all the ways that a statement has."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)
        self.fresh = 0

    def pick(self, values: Any) -> Any:
        return self.source.choice(values)

    def number(self, depth: int = 2) -> str:
        kind = self.source.randrange(9 if depth else 3)
        if kind < 2:
            return str(self.pick(NAMES + ARGUMENTS))
        if kind == 2:
            return str(self.source.randrange(-3, 9))
        if kind < 6:
            return f"({self.number(depth - 1)} {self.pick(('+', '-', '*', '%', '//'))} {self.number(depth - 1)})"
        if kind == 6:
            return f"({self.number(depth - 1)} if {self.test(depth - 1)} else {self.number(depth - 1)})"
        if kind == 7:
            return f"{self.pick(('min', 'max'))}({self.number(depth - 1)}, {self.number(depth - 1)})"
        return f"({self.pick(NAMES)} := {self.number(depth - 1)})"

    def test(self, depth: int = 1) -> str:
        text = f"{self.number(depth)} {self.pick(('<', '<=', '==', '!='))} {self.number(depth)}"
        other = f"{self.number(0)} > {self.number(0)}"
        return self.pick((text, text, f"not {text}", f"({text} and {other})", f"({text} or {other})"))

    def bound(self, depth: int) -> tuple[str, str]:
        """Return a target, and a value of its shape."""
        if depth == 0 or self.source.randrange(3) == 0:
            return str(self.pick(NAMES)), self.number(1)
        parts = [self.bound(depth - 1) for _ in range(self.pick((2, 2, 3)))]
        return (f"({', '.join(one for one, _ in parts)})", f"({', '.join(other for _, other in parts)})")

    def simple(self) -> list[str]:
        kind = self.source.randrange(8)
        if kind < 3:
            return [f"{self.pick(NAMES)} = {self.number()}"]
        if kind == 3:
            return [f"{self.pick(NAMES)} {self.pick(('+=', '-=', '*='))} {self.number()}"]
        if kind == 4:
            return [f"{self.pick(NAMES)} = {self.pick(NAMES)} = {self.number()}"]
        if kind == 5:
            return [f"{self.pick(NAMES)}: int = {self.number()}"]
        target, value = self.bound(2)
        chained = f"{self.pick(NAMES)} = " if self.source.randrange(4) == 0 else ""
        return [f"{target} = {chained}{value}"] if self.source.randrange(2) else [f"{chained}{target} = {value}"]

    def indented(self, lines: list[str]) -> list[str]:
        return ["    " + line for line in lines]

    def block(self, depth: int, in_loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(self.source.randrange(1, 4)):
            lines += self.statement(depth, in_loop)
        return lines

    def statement(self, depth: int, in_loop: bool) -> list[str]:
        kind = self.source.randrange(12) if depth else 0
        if kind < 5:
            return self.simple()
        inner = self.indented(self.block(depth - 1, in_loop))
        if kind < 7:
            other = ["else:", *self.indented(self.block(depth - 1, in_loop))] if self.source.randrange(2) else []
            return [f"if {self.test()}:", *inner, *other]
        if kind < 9:
            index = self.pick(NAMES)
            body = self.indented(self.block(depth - 1, True))
            limit = self.pick(("a % 4", "3", "b % 3", "1, a % 5", "4, 0, -1"))
            other = ["else:", *self.indented(self.simple())] if self.source.randrange(4) == 0 else []
            return [f"for {index} in range({limit}):", *body, *other]
        if kind == 9:
            self.fresh += 1
            count = f"n{self.fresh}"
            body = [f"{count} += 1", *self.block(depth - 1, True)]
            return [f"{count} = 0", f"while {count} < {self.pick(('a % 4', '2'))}:", *self.indented(body)]
        if kind == 10 and in_loop:
            return [f"if {self.test()}:", "    " + self.pick(("break", "continue"))]
        handler = self.indented(self.simple())
        ending = ["finally:", *self.indented(self.simple())] if self.source.randrange(3) == 0 else []
        return ["try:", *inner, "except ZeroDivisionError:", *handler, *ending]

    def function(self) -> str:
        lines = [f"{name} = {self.number(0) if name != 'x' else 'a'}" for name in NAMES[: self.pick((1, 2, 4))]]
        for _ in range(4):
            lines += self.statement(2, False)
        lines.append("return 0")
        return "def made(a, b):\n" + "\n".join(self.indented(lines)) + "\n"


def check(source: str) -> int:
    """Check a function's flow. Return how many values were compared."""
    flow = flow_of(source, 1, "made(int64, int64)")
    space: dict[str, Any] = {}
    exec(compile(source, "made", "exec"), space)
    count = 0
    for given in ((0, 1), (2, 5), (7, 3)):
        try:
            events = events_of(space["made"], given)
        except (NameError, ZeroDivisionError, TypeError):
            continue
        arguments = dict(zip(ARGUMENTS, given))
        check_definitions(flow, events, arguments)
        count += len(check_computed(flow, events, arguments))
    return count


@pytest.mark.parametrize("seed", range(20))
def test_what_is_told_of_random_functions_is_what_the_interpreter_has(seed: int) -> None:
    writer = Writer(seed)
    assert sum(check(writer.function()) for _ in range(PROGRAMS)) > 300

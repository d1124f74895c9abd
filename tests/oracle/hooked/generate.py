"""Typed, terminating programs that Numba compiles, drawn by hypothesis; number and seed determine them."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from .containers import with_containers
from .expressions import Callee, Scope
from .faults import with_fault
from .parallel import Parallel
from .statements import Lines, indent

HEAD = ["import math", "", "import numpy as np", "from numba import njit, prange", ""]
PARALLEL = 15  # programs in a hundred in which one function is parallel
PARAMETERS = ("int", "int", "float", "floats", "ints", "bool", "str", "pair", "grid")


class Writer(Parallel):
    """A generator of the functions and calls of a program."""

    def begin(self, parameters: list[tuple[str, str]], returns: str, statements: int) -> Scope:
        scope = Scope({name: kind for name, kind in parameters})
        self.arguments = {name for name, kind in parameters if kind in ("int", "float")}
        scope.bounded = set(self.arguments)
        scope.frozen = set(self.arguments) if self.chance(70) else set()
        self.arguments &= scope.frozen
        self.taken = set(scope.types)
        self.returns, self.left, self.serial = returns, statements, 0
        return scope

    def callee(self, name: str) -> Lines:
        """Return a small function that LLVM may inline."""
        kinds = [self.pick(("int", "int", "float")) for _ in range(self.number(1, 2))]
        parameters = [(f"n{number}", kind) for number, kind in enumerate(kinds)]
        returns = self.pick(("int", "float"))
        others, self.callees = self.callees, self.callees[:1]
        scope = self.begin(parameters, returns, 4)
        self.exceptions = False
        lines = self.block(scope, 1, 0, 2)
        lines.append(f"return {self.final(returns, scope)}")
        self.exceptions = True
        self.callees = [*others, Callee(name, kinds, returns)]
        return ["@njit(debug=True)", f"def {name}({', '.join(n for n, _ in parameters)}):", *indent(lines), ""]

    def final(self, returns: str, scope: Scope) -> str:
        text = self.expression(returns, scope, 1)
        used = [name for name in scope.of(returns) if name not in text]
        return f"{text} + {self.pick(used)}" if used else text

    def recursive(self, name: str) -> Lines:
        """Return a function that calls itself, with a local variable that each call has for itself."""
        self.callees = [*self.callees, Callee(name, ["int"], "int")]
        step = self.pick(("depth", "2", "depth * 3"))
        lines = [
            "if depth <= 0:",
            f"    return {self.number(-3, 3)}",
            f"own = {step} + 1",
            f"below = {name}(depth - 1)",
        ]
        return ["@njit(debug=True)", f"def {name}(depth):", *indent([*lines, "return own + below"]), ""]

    def function(self, name: str) -> tuple[Lines, list[str]]:
        """Return a function and its calls."""
        kinds = ["int", *[self.pick(PARAMETERS) for _ in range(self.number(1, 3))]]
        parameters = [(f"{'abcde'[number]}rg", kind) for number, kind in enumerate(kinds)]
        returns = self.pick(("int", "float"))
        scope = self.begin(parameters, returns, 13)
        lines = self.block(scope, 3, 0, 8, 3)
        lines.append(f"return {self.final(returns, scope)}")
        head = f"def {name}({', '.join(n for n, _ in parameters)}):"
        calls = [f"{name}({', '.join(self.value(kind) for kind in kinds)})" for _ in range(self.number(2, 3))]
        return ["@njit(debug=True)", head, *indent(lines), ""], calls

    def value(self, kind: str) -> str:
        """Return an argument's literal."""
        small = self.number(-3, 5)
        return {
            "int": str(small),
            "float": repr(self.number(-12, 12) / 4),
            "bool": self.pick(("True", "False")),
            "str": repr(self.pick(("hello", "né", "x", "日本語"))),
            "pair": f"({small}, {self.number(-8, 8) / 4!r})",
            "ints": self.pick(("np.arange(4) - 2", "np.array([5, -7, 9, 2, 4])", "np.arange(8)[::2]")),
            "floats": self.pick(("np.arange(5) * 0.75", "np.array([1.5, -2.0, 0.25])", "np.linspace(0.0, 4.0, 9)")),
            "grid": self.pick(("np.ones((2, 3))", "np.arange(6.0).reshape(3, 2)")),
        }[kind]


def write(source: random.Random, parallel: int = PARALLEL) -> str:
    """Return a program's text; `CALLS` lists its calls. `parallel`: the number of programs in a hundred in which one
    function is parallel."""
    writer = Writer(source, [])
    lines: Lines = [*HEAD, ""]
    calls: list[str] = []
    for number in range(writer.number(0, 2)):
        lines += writer.callee(f"small{number}") + [""]
    if writer.chance(10):
        lines += writer.recursive("deep") + [""]
    for number in range(writer.number(1, 2)):
        body, more = writer.function(f"work{number}")
        lines += [*body, ""]
        calls += more
    if writer.chance(parallel):
        body, more = writer.parallel("spread")
        lines += [*body, ""]
        calls += more
    lines += ["CALLS = [", *[f"    lambda: {call}," for call in calls], "]", ""]
    return "\n".join(lines)


def programs(number: int, seed: int, parallel: int = PARALLEL) -> list[str]:
    """Return different programs, in the order in which hypothesis drew them; every fourth has containers, every third a
    FAULT."""
    # Hypothesis varies parts of a draw, which makes families of similar programs; it cannot vary a seed in this way.
    texts = st.randoms(use_true_random=True).map(lambda source: write(source, parallel))
    found: dict[str, None] = {}

    @seeded(seed)
    @settings(
        max_examples=number + number // 10 + 5,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @given(texts)
    def collect(text: str) -> None:
        found.setdefault(text)

    collect()
    return [more(text, count) for count, text in enumerate(list(found)[:number])]


def more(text: str, count: int) -> str:
    source = random.Random(text)
    text = with_containers(text, source) if count % 4 == 1 else text
    return with_fault(text, source) if count % 3 == 2 else text

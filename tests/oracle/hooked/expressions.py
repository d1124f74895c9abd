"""Typed expressions over a scope; every value stays within 64 bits."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

SCALARS = ("int", "float", "bool")
ARRAYS = ("ints", "floats")


@dataclasses.dataclass
class Callee:
    """A compiled function that others may call."""

    name: str
    parameters: list[str]  # their types
    returns: str


@dataclasses.dataclass
class Scope:
    """The names that surely have a value, with their types; `bounded` ones do not grow in loops."""

    types: dict[str, str] = dataclasses.field(default_factory=dict)
    bounded: set[str] = dataclasses.field(default_factory=set)
    frozen: set[str] = dataclasses.field(default_factory=set)  # a loop's own counters

    def copy(self) -> Scope:
        return Scope(dict(self.types), set(self.bounded), set(self.frozen))

    def of(self, *kinds: str) -> list[str]:
        return [name for name, kind in self.types.items() if kind in kinds]


class Expressions:
    """A generator of expressions of a type."""

    def __init__(self, source: random.Random, callees: Sequence[Callee]) -> None:
        self.source = source
        self.callees = callees

    def number(self, low: int, high: int) -> int:
        return self.source.randint(low, high)

    def pick(self, items: Sequence[T]) -> T:
        return items[self.number(0, len(items) - 1)]

    def chance(self, percent: int) -> bool:
        return self.number(1, 100) > 100 - percent

    def expression(self, kind: str, scope: Scope, depth: int = 2, loop: bool = False) -> str:
        if kind == "int":
            text, grows = self.integer(scope, depth)
            return f"({text}) % 97" if grows and loop else text
        made: dict[str, Callable[[Scope, int], str]] = {
            "float": self.real,
            "bool": self.boolean,
            "str": self.string,
            "pair": lambda s, d: f"({self.expression('int', s, 1, loop)}, {self.real(s, 1)})",
            "triple": lambda s, d: ", ".join(self.expression("int", s, 1, loop) for _ in range(3)).join("()"),
            "ints": lambda s, d: self.array("ints", s),
            "floats": lambda s, d: self.array("floats", s),
            "grid": lambda s, d: self.grid(s),
        }
        return made[kind](scope, depth)

    def integer(self, scope: Scope, depth: int) -> tuple[str, bool]:
        """Return the text, and True if the value may grow when a loop repeats it."""
        ways = ["constant", "variable", "variable"]
        if depth > 0:
            ways += ["sum", "difference", "product", "quotient", "modulo", "least", "choice"]
            ways += ["element"] * bool(scope.of("ints")) + ["length"] * bool(scope.of(*ARRAYS, "str"))
            ways += ["member"] * bool(scope.of("triple", "pair")) + ["call", "call"] * bool(self.callees)
        way = self.pick(ways)
        if way == "variable" and scope.of("int"):
            name = self.pick(scope.of("int"))
            return name, name not in scope.bounded
        if way == "length":
            return f"len({self.pick(scope.of(*ARRAYS, 'str'))})", False
        if way == "element":
            return self.element("ints", scope), True
        if way == "member":
            name = self.pick(scope.of("triple", "pair"))
            return f"{name}[{self.number(0, 2) if scope.types[name] == 'triple' else 0}]", True
        if way == "call":
            return self.call("int", scope, depth) or ("1", False)
        if way in ("sum", "difference", "product", "quotient", "modulo", "least", "choice"):
            left, grows = self.integer(scope, depth - 1)
            if way == "quotient":
                return f"({left}) // {self.pick((2, 3, -2))}", grows
            if way == "modulo":
                return f"({left}) % {self.pick((2, 3, 7))}", False
            right, also = self.integer(scope, depth - 1)
            grows = grows or also
            if way == "product":
                return f"({left}) * ({right}) % 97", False
            if way == "least":
                return f"{self.pick(('min', 'max'))}({left}, {right})", grows
            if way == "choice":
                return f"({left} if {self.boolean(scope, 0)} else {right})", grows
            return f"{left} {'+' if way == 'sum' else '-'} ({right})", grows
        return str(self.number(-9, 9)), False

    def call(self, kind: str, scope: Scope, depth: int) -> tuple[str, bool] | None:
        able = [callee for callee in self.callees if callee.returns == kind]
        if not able:
            return None
        callee = self.pick(able)
        given = []
        for parameter in callee.parameters:
            if parameter in ARRAYS:
                if not scope.of(parameter):
                    return None
                given.append(self.pick(scope.of(parameter)))
            elif parameter == "int":
                given.append(f"({self.integer(scope, 0)[0]}) % {self.pick((4, 7))}")
            else:
                given.append(self.expression(parameter, scope, 0))
        return f"{callee.name}({', '.join(given)})", True

    def element(self, kind: str, scope: Scope) -> str:
        name = self.pick(scope.of(kind))
        return f"{name}[{self.index(name, scope)}]"

    def index(self, name: str, scope: Scope) -> str:
        if self.chance(40) or not scope.of("int"):
            return self.pick(("0", "1", "-1"))
        return f"{self.pick(scope.of('int'))} % len({name})"

    def real(self, scope: Scope, depth: int) -> str:
        ways = ["constant", "variable", "variable"]
        if depth > 0:
            ways += ["sum", "product", "half", "root", "mixed", "choice"] + ["element"] * bool(scope.of("floats"))
            ways += ["member"] * bool(scope.of("pair")) + ["cell"] * bool(scope.of("grid"))
            ways += ["call"] * bool(self.callees)
        way = self.pick(ways)
        if way == "variable" and scope.of("float"):
            return self.pick(scope.of("float"))
        if way == "element":
            return self.element("floats", scope)
        if way == "member":
            return f"{self.pick(scope.of('pair'))}[1]"
        if way == "cell":
            return f"{self.pick(scope.of('grid'))}[{self.number(0, 1)}, {self.number(-1, 1)}]"
        if way == "half":
            return f"({self.real(scope, depth - 1)}) / {self.pick((2.0, 4.0, -8.0))}"
        if way == "root":
            return f"math.sqrt(abs({self.real(scope, depth - 1)}))"
        if way == "mixed":
            return f"({self.integer(scope, depth - 1)[0]}) * 0.5"
        if way == "call":
            found = self.call("float", scope, depth)
            if found:
                return found[0]
        if way == "choice":
            return f"({self.real(scope, 0)} if {self.boolean(scope, 0)} else {self.real(scope, 0)})"
        if way in ("sum", "product"):
            sign = "*" if way == "product" else self.pick(("+", "-"))
            return f"({self.real(scope, depth - 1)}) {sign} ({self.real(scope, depth - 1)})"
        return repr(self.number(-20, 20) / 4)

    def boolean(self, scope: Scope, depth: int) -> str:
        if scope.of("bool") and self.chance(25):
            name = self.pick(scope.of("bool"))
            return name if self.chance(50) else f"not {name}"
        if scope.of("str") and self.chance(10):
            return f"len({self.pick(scope.of('str'))}) > {self.number(1, 4)}"
        sign = self.pick(("<", ">", "<=", "==", "!="))
        if scope.of("float") and self.chance(30):
            return f"{self.pick(scope.of('float'))} {sign} {self.real(scope, 0)}"
        left = self.pick(scope.of("int")) if scope.of("int") else "1"
        if self.chance(40):
            return f"{left} % {self.pick((2, 3))} == {self.number(0, 1)}"
        text = f"{left} {sign} {self.integer(scope, 0)[0]}"
        if depth > 0 and self.chance(20):
            return f"{text} {self.pick(('and', 'or'))} {self.boolean(scope, 0)}"
        return text

    def string(self, scope: Scope, depth: int) -> str:
        names = scope.of("str")
        text = repr(self.pick(("", "a", "bc", "xyz", "été", "two words", "日本")))
        if names and depth > 0 and self.chance(50):
            name = self.pick(names)
            return self.pick((f"{name} + {text}", f"{name}[1:]", f"{name}.upper()" if name else text, name))
        return text

    def array(self, kind: str, scope: Scope) -> str:
        names = scope.of(kind)
        dtype = "np.int64" if kind == "ints" else "np.float64"
        ways = [f"np.zeros({self.number(3, 6)}, dtype={dtype})", f"np.ones({self.number(3, 6)}, dtype={dtype})"]
        if kind == "ints":
            ways.append(f"np.arange({self.number(3, 6)})")
        one, by = ("int", 2) if kind == "ints" else ("float", 0.5)
        items = [self.pick([*scope.of(one), repr(self.number(-9, 9) * by)]) for _ in range(self.number(3, 4))]
        ways += [f"np.array([{', '.join(items)}])", f"np.array([q * {by} for q in range({self.number(3, 5)})])"]
        for name in names:
            ways += [f"{name}.copy()", f"np.zeros_like({name})"]
        return self.pick(ways)

    def grid(self, scope: Scope) -> str:
        return self.pick((f"np.zeros((2, {self.number(2, 4)}))", f"np.ones(({self.number(2, 3)}, 2))"))
